import LocalAuth
import LocalAuthPKI

/// Why a call with a key did not succeed, as callers of Apple's hear it.
struct KeyFailure: Error {
  let error: NSError

  /// A status of ours, with what is wrong.
  init(_ status: OSStatus, _ text: String) {
    error = NSError(
      domain: NSOSStatusErrorDomain,
      code: Int(status),
      userInfo: [NSLocalizedDescriptionKey: text]
    )
  }

  init(_ failure: PKIError) {
    switch failure {
    case .malformed, .unsuitable, .size, .undecryptable:
      self.init(errSecParam, failure.description)
    case .unsupported: self.init(errSecKeySizeNotAllowed, failure.description)
    case .wrongPassphrase: self.init(errSecAuthFailed, failure.description)
    case .failed: self.init(errSecInternalComponent, failure.description)
    }
  }

  init(_ failure: KeychainFailure) { error = NSError(failure) }

  /// A status of ours, in its own words.
  init(_ status: OSStatus) { self.init(status, SecCopyErrorMessageString(status, nil) ?? "") }

  init(_ status: ItemStatus) { self.init(status.code) }

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

  /// Runs `body`; what the library throws is thrown as its status.
  static func translating<Value: ~Copyable>(
    _ body: () throws(PKIError) -> Value
  ) throws(KeyFailure) -> Value {
    do throws(PKIError) {
      return try body()
    } catch {
      throw KeyFailure(error)
    }
  }

  /// The same for what the keychain throws.
  static func translating<Value: ~Copyable>(
    _ body: () throws(KeychainFailure) -> Value
  ) throws(KeyFailure) -> Value {
    do throws(KeychainFailure) {
      return try body()
    } catch {
      throw KeyFailure(error)
    }
  }

  /// The same for what a dictionary is refused with.
  static func translating<Value: ~Copyable>(
    _ body: () throws(ItemStatus) -> Value
  ) throws(KeyFailure) -> Value {
    do throws(ItemStatus) {
      return try body()
    } catch {
      throw KeyFailure(error)
    }
  }
}
