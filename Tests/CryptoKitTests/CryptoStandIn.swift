// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// The names are swift-crypto's, whose documentation says what they are.

import CommonCrypto
import Foundation

/// The names of swift-crypto's that `Examples/CryptoKit` needs, as far as it needs them, with CommonCrypto's
/// functions: the package itself is none of this one's dependencies.
public enum Crypto {
  public protocol Digest: ContiguousBytes, Sequence<UInt8> {}

  public protocol HashFunction {
    associatedtype Digest: Crypto.Digest
    init()
    mutating func update(bufferPointer: UnsafeRawBufferPointer)
    func finalize() -> Digest
  }

  public struct SymmetricKey: ContiguousBytes, Equatable {
    private let bytes: Data

    public init(data: some ContiguousBytes) { bytes = data.withUnsafeBytes { Data($0) } }

    public func withUnsafeBytes<Result>(
      _ body: (UnsafeRawBufferPointer) throws -> Result
    ) rethrows -> Result { try bytes.withUnsafeBytes(body) }
  }

  public enum HKDF<Hash: HashFunction> {
    /// One round, which is all that a key of 32 bytes needs.
    public static func deriveKey(
      inputKeyMaterial: SymmetricKey,
      salt: some DataProtocol,
      info: some DataProtocol,
      outputByteCount: Int
    ) -> SymmetricKey {
      let random = authentication(of: inputKeyMaterial.withUnsafeBytes { Data($0) }, Data(salt))
      let output = authentication(of: Data(info) + [1], random)
      return SymmetricKey(data: output.prefix(outputByteCount))
    }

    private static func authentication(of data: Data, _ key: Data) -> Data {
      var output = Data(count: Int(CC_SHA256_DIGEST_LENGTH))
      output.withUnsafeMutableBytes { output in
        CCHmac(
          CCHmacAlgorithm(kCCHmacAlgSHA256),
          [UInt8](key),
          key.count,
          [UInt8](data),
          data.count,
          output.baseAddress
        )
      }
      return output
    }
  }

  public struct SHA256: HashFunction {
    public struct Digest: Crypto.Digest {
      fileprivate let bytes: [UInt8]

      public func makeIterator() -> IndexingIterator<[UInt8]> { bytes.makeIterator() }

      public func withUnsafeBytes<Result>(
        _ body: (UnsafeRawBufferPointer) throws -> Result
      ) rethrows -> Result { try bytes.withUnsafeBytes(body) }
    }

    private var data: [UInt8] = []

    public init() {}

    public mutating func update(bufferPointer: UnsafeRawBufferPointer) { data += bufferPointer }

    public func finalize() -> Digest {
      var bytes = [UInt8](repeating: 0, count: Int(CC_SHA256_DIGEST_LENGTH))
      CC_SHA256(data, CC_LONG(data.count), &bytes)
      return Digest(bytes: bytes)
    }
  }
}

extension Crypto.HashFunction {
  public mutating func update(data: some DataProtocol) {
    Data(data).withUnsafeBytes { update(bufferPointer: $0) }
  }

  public static func hash(data: some DataProtocol) -> Digest {
    var function = Self()
    function.update(data: data)
    return function.finalize()
  }
}

extension Crypto {
  public enum P256 {
    public enum Signing {
      public struct ECDSASignature {
        let rawRepresentation: Data

        public init(rawRepresentation: some DataProtocol) throws {
          self.rawRepresentation = Data(rawRepresentation)
        }
      }

      public struct PublicKey {
        let x963Representation: Data

        public init(x963Representation: some ContiguousBytes) throws {
          self.x963Representation = x963Representation.withUnsafeBytes { Data($0) }
        }
      }
    }

    public enum KeyAgreement {
      public struct PublicKey {
        let x963Representation: Data

        public init(x963Representation: some ContiguousBytes) throws {
          self.x963Representation = x963Representation.withUnsafeBytes { Data($0) }
        }
      }
    }
  }
}
