import LocalAuth
import LocalAuthPKI

/// The failure of a key operation, as the error that Apple's API reports.
struct KeyFailure: Error {
  let error: NSError

  /// The failure with a status; without `text` it has the status's own message.
  init(_ status: OSStatus, _ text: String? = nil) { error = NSError(status, text) }

  fileprivate init(_ error: NSError) { self.error = error }

  static let unsupported = KeyFailure(errSecParam, "The key does not have this algorithm.")
  static let wrongSignature = KeyFailure(errSecVerifyFailed, "The signature is not this key's.")

  /// Runs `body`; if it throws, stores the error in `place` and returns nil.
  static func reporting<Value>(
    to place: UnsafeMutablePointer<Unmanaged<CFError>?>?,
    _ body: () throws(KeyFailure) -> Value
  ) -> Value? {
    do throws(KeyFailure) {
      return try body()
    } catch {
      unsafe place?.pointee = Unmanaged.passRetained(error.error)
      return nil
    }
  }

  /// Runs `body` and rethrows its error as a ``KeyFailure``.
  static func translating<Value: ~Copyable, Failure: KeyFailureConvertible>(
    _ body: () throws(Failure) -> Value
  ) throws(KeyFailure) -> Value {
    do throws(Failure) {
      return try body()
    } catch {
      throw error.keyFailure
    }
  }
}

/// An error of a lower layer that key operations report as one of Apple's.
protocol KeyFailureConvertible: Error {
  var keyFailure: KeyFailure { get }
}

extension PKIError: KeyFailureConvertible {
  var keyFailure: KeyFailure {
    switch self {
    case .malformed, .unsuitable, .size, .undecryptable: KeyFailure(errSecParam, description)
    case .unsupported: KeyFailure(errSecKeySizeNotAllowed, description)
    case .wrongPassphrase: KeyFailure(errSecAuthFailed, description)
    case .failed: KeyFailure(errSecInternalComponent, description)
    }
  }
}

extension KeychainFailure: KeyFailureConvertible {
  var keyFailure: KeyFailure { KeyFailure(NSError(self)) }
}

extension ItemStatus: KeyFailureConvertible {
  var keyFailure: KeyFailure { KeyFailure(code) }
}
