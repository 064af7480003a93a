import LocalAuthRNCryptor
import LocalAuthSecret

/// A header that is accepted is the one that was there, nothing is odd about it, and a message opens
/// only as it was made.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzRNCryptor(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  // SAFETY: the fuzzer keeps `count` bytes at `start` during the call.
  let bytes = unsafe Array(UnsafeBufferPointer(start: start, count: count))
  for credential in [MessageCredential.keys, .password] { checkHeader(bytes, credential) }
  checkMessage(bytes)
  return 0
}

private func checkHeader(_ bytes: [UInt8], _ credential: MessageCredential) {
  let versions = [MessageFormat.version, MessageFormat.version2]
  guard
    let header = try? MessageHeader(
      bytes,
      ofMessageOf: bytes.count,
      for: credential,
      versions: versions
    )
  else { return }
  precondition(bytes.starts(with: header.bytes), "another header was read")
  precondition(bytes.count >= credential.messageSizeMin, "too short a message was read")
  switch MessageOddity(in: bytes, ofMessageOf: bytes.count, versions: versions) {
  case nil, .partOfABlock: return
  case let oddity?: fatalError("a message that is read is odd: \(oddity)")
  }
}

/// The first byte chooses what is changed in a message of the others.
private func checkMessage(_ bytes: [UInt8]) {
  guard let change = bytes.first else { return }
  let header = MessageHeader(for: .keys, vector: Array(repeating: change, count: 16))
  guard var ciphertext = cipher(.encrypt, header, Array(bytes.dropFirst())) else {
    fatalError("content is not encrypted")
  }
  let tag = mac(header, ciphertext).finish()
  precondition(cipher(.decrypt, header, ciphertext) == Array(bytes.dropFirst()), "other content")
  precondition((try? mac(header, ciphertext).verify(tag)) != nil, "its own HMAC is not verified")
  ciphertext[Int(change) % ciphertext.count] ^= 1
  precondition((try? mac(header, ciphertext).verify(tag)) == nil, "a changed message is verified")
}

private func keys() -> MessageKeys {
  MessageKeys(
    encryption: Secret(copying: Array(repeating: 1, count: 32)),
    mac: Secret(copying: Array(repeating: 2, count: 32))
  )
}

private func mac(_ header: MessageHeader, _ ciphertext: [UInt8]) -> MessageMAC {
  let mac = MessageMAC(keys(), header)
  mac.update(Secret(copying: ciphertext))
  return mac
}

private func cipher(
  _ direction: MessageCipher.Direction,
  _ header: MessageHeader,
  _ input: [UInt8]
) -> [UInt8]? {
  let cipher = MessageCipher(direction, keys(), header)
  var output = Secret(capacity: MessageCipher.room(for: input.count) + MessageFormat.blockSize)
  cipher.update(Secret(copying: input), appendingTo: &output)
  guard cipher.finish(appendingTo: &output) else { return nil }
  // SAFETY: the bytes are copied within the call.
  return unsafe output.withUnsafeBytes { unsafe Array($0) }
}
