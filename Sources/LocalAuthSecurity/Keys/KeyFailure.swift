import LocalAuth
import LocalAuthPKI

/// Why a call with a key did not succeed, as callers of Apple's hear it.
struct KeyFailure: Error {
  let error: NSError

  /// A status of ours, with what is wrong; without words it has those of the status.
  init(_ status: OSStatus, _ text: String? = nil) { error = NSError(status, text) }

  fileprivate init(_ error: NSError) { self.error = error }

  static let unsupported = KeyFailure(errSecParam, "The key does not have this algorithm.")
  static let wrongSignature = KeyFailure(errSecVerifyFailed, "The signature is not this key's.")

  /// Runs `body`; what it throws goes to `place`, and the answer is nil.
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

  /// Runs `body`; what it throws is thrown as callers hear it.
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

/// An error from below that callers of keys hear as one of Apple's.
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
