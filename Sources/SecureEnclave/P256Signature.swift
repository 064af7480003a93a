public import Foundation
import LocalAuthPKI
import LocalAuthSecurity

extension SecureEnclave.P256.Signing {
  /// An ECDSA signature.
  public struct ECDSASignature: Hashable, Sendable {
    /// `r || s`, 64 bytes.
    public let rawRepresentation: Data

    private static let half = 32

    /// Creates a signature from its 64 bytes.
    ///
    /// - Throws: `errSecParam` for another size.
    public init(rawRepresentation: some DataProtocol) throws {
      guard rawRepresentation.count == 2 * Self.half else {
        throw NSError(errSecParam, "A signature of P-256 has 64 bytes.")
      }
      self.rawRepresentation = Data(rawRepresentation)
    }

    /// Creates a signature from the DER of ANSI X9.62.
    ///
    /// - Throws: `errSecParam` for bytes that are not such a signature.
    public init(derRepresentation: some DataProtocol) throws {
      do throws(PKIError) {
        let plain = try LocalAuthPKI.ECDSASignature.plain(
          Array(derRepresentation),
          coordinateSize: Self.half
        )
        rawRepresentation = Data(plain)
      } catch {
        throw NSError(errSecParam, "These bytes are no signature of P-256.")
      }
    }

    /// The signature in the DER of ANSI X9.62.
    public var derRepresentation: Data {
      let plain = [UInt8](rawRepresentation)
      // Two numbers of 32 bytes always have a DER; only a lack of memory could make this fail.
      let der = try? LocalAuthPKI.ECDSASignature.der(plain, coordinateSize: Self.half)
      return Data(der ?? [])
    }
  }
}
