/// The port to the hash function that digests of public texts are made with.
public protocol MessageHashing: Sendable {
  /// The 32 bytes of SHA-256, FIPS 180-4.
  func sha256(of message: [UInt8]) -> [UInt8]
}
