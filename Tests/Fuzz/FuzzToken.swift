import LocalAuthJSON
import LocalAuthToken

/// Whatever the bytes are, each decoder returns; what it accepts means the same when it is written and
/// read again, and stays within its limits.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzToken(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  // SAFETY: the fuzzer keeps `count` bytes at `start` during the call.
  let bytes = unsafe Array(UnsafeBufferPointer(start: start, count: count))
  checkBase64(bytes)
  checkClaims(bytes)
  let text = String(decoding: bytes, as: UTF8.self)
  if let keys = try? JSONWebKeySet(json: text) {
    precondition(keys.keys.count <= JSONWebKeySet.keysMax, "too many keys")
    guard let again = try? JSONWebKeySet(json: keys.json) else { fatalError("no set any more") }
    precondition(again == keys, "reads differently after being written")
  }
  if let token = try? SignedToken(text) {
    precondition(text.utf8.count <= SignedToken.bytesMax, "too long")
    precondition(text.utf8.starts(with: token.signingInput), "something else is signed")
  }
  if let challenge = try? StepUpChallenge(text) {
    precondition(challenge.acrValues.count <= StepUpChallenge.valuesMax, "too many values")
    precondition(challenge.maxAge ?? 0 >= 0, "an age below zero")
  }
  return 0
}

private func checkBase64(_ bytes: [UInt8]) {
  let text = Array(Base64URL.encode(bytes).utf8)
  precondition(Base64URL.decode(text) == bytes, "bytes are not what they were")
  guard let decoded = Base64URL.decode(bytes) else { return }
  precondition(Array(Base64URL.encode(decoded).utf8) == bytes, "two spellings of one value")
}

private func checkClaims(_ bytes: [UInt8]) {
  guard let claims = try? AssertionClaims(json: bytes) else { return }
  guard let again = try? AssertionClaims(json: claims.json) else { fatalError("no claims now") }
  precondition(again == claims, "reads differently after being written")
}
