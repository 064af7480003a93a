import Security
import Testing

/// A call of Apple's kind, whose error comes through a pointer: its answer, or its error thrown.
func thrown<Value>(
  _ body: (UnsafeMutablePointer<Unmanaged<CFError>?>) -> Value?
) throws -> Value {
  var error: Unmanaged<CFError>?
  let value = body(&error)
  if let value {
    #expect(error == nil)
    return value
  }
  let failure = try #require(error, "neither an answer nor an error")
  throw failure.takeRetainedValue() as Error
}

/// The code of the error that `body` throws, in the domain of statuses; nil where it throws none.
func status<Value>(_ body: () throws -> Value) -> OSStatus? {
  do {
    _ = try body()
    return nil
  } catch {
    let error = error as NSError
    #expect(error.domain == NSOSStatusErrorDomain)
    #expect(!error.localizedDescription.isEmpty)
    return OSStatus(error.code)
  }
}

/// A new pair; more says what becomes of its halves.
func newKey(_ type: CFString, _ bits: Int, _ more: [String: Any] = [:]) throws -> SecKey {
  var parameters: [String: Any] = [
    kSecAttrKeyType as String: type, kSecAttrKeySizeInBits as String: bits,
  ]
  parameters.merge(more) { _, new in new }
  return try thrown { SecKeyCreateRandomKey(parameters as CFDictionary, $0) }
}

func external(_ key: SecKey) throws -> Data {
  try thrown { SecKeyCopyExternalRepresentation(key, $0) } as Data
}

func key(_ data: Data, _ type: CFString, _ keyClass: CFString) throws -> SecKey {
  try thrown {
    SecKeyCreateWithData(
      data as CFData,
      [kSecAttrKeyType: type, kSecAttrKeyClass: keyClass] as CFDictionary,
      $0
    )
  }
}

func sign(_ message: Data, _ algorithm: SecKeyAlgorithm, _ key: SecKey) throws -> Data {
  try thrown { SecKeyCreateSignature(key, algorithm, message as CFData, $0) } as Data
}

/// False for a signature that is not genuine; whatever else is wrong is thrown.
func verifies(
  _ signature: Data,
  _ message: Data,
  _ algorithm: SecKeyAlgorithm,
  _ key: SecKey
) throws -> Bool {
  let failure = status {
    try thrown { error in
      SecKeyVerifySignature(key, algorithm, message as CFData, signature as CFData, error)
        ? true : nil
    }
  }
  if let failure, failure != errSecVerifyFailed {
    throw NSError(domain: NSOSStatusErrorDomain, code: Int(failure))
  }
  return failure == nil
}

func encrypt(_ message: Data, _ algorithm: SecKeyAlgorithm, _ key: SecKey) throws -> Data {
  try thrown { SecKeyCreateEncryptedData(key, algorithm, message as CFData, $0) } as Data
}

func decrypt(_ message: Data, _ algorithm: SecKeyAlgorithm, _ key: SecKey) throws -> Data {
  try thrown { SecKeyCreateDecryptedData(key, algorithm, message as CFData, $0) } as Data
}

func exchange(
  _ key: SecKey,
  _ peer: SecKey,
  _ algorithm: SecKeyAlgorithm,
  _ parameters: [SecKeyKeyExchangeParameter: Any] = [:]
) throws -> Data {
  try thrown {
    SecKeyCopyKeyExchangeResult(key, algorithm, peer, parameters as CFDictionary, $0)
  } as Data
}

/// Keys that tests use again and again: making one of RSA takes a while.
enum SampleKeys {
  static let rsa = sample(kSecAttrKeyTypeRSA, 2048)
  static let curves = [256, 384, 521].map { sample(kSecAttrKeyTypeECSECPrimeRandom, $0) }
  static var all: [SecKey] { [rsa] + curves }

  private static func sample(_ type: CFString, _ bits: Int) -> SecKey {
    do {
      return try newKey(type, bits)
    } catch {
      fatalError("no key: \(error)")
    }
  }
}

func publicHalf(_ key: SecKey) throws -> SecKey { try #require(SecKeyCopyPublicKey(key)) }
