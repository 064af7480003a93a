import LocalAuth
import LocalAuthEmbedded
import LocalAuthKeychain

/// The status of a failed call, with Apple's number.
struct ItemStatus: Error, Hashable {
  let code: OSStatus

  static let param = ItemStatus(.param)
  static let decode = ItemStatus(.decode)
  static let unimplemented = ItemStatus(.unimplemented)

  init(_ status: KeychainStatus) { code = status.rawValue }

  /// The status of another call; nil for success.
  init?(code: OSStatus) {
    guard code != KeychainStatus.success.rawValue else { return nil }
    self.code = code
  }

  /// Runs `body` and returns success or the status that it throws.
  static func of(_ body: () throws(ItemStatus) -> Void) -> OSStatus {
    do throws(ItemStatus) {
      try body()
      return KeychainStatus.success.rawValue
    } catch {
      return error.code
    }
  }

  /// Runs `body` and rethrows a failure of the keychain as its status.
  static func translating<Value>(
    _ body: () throws(KeychainFailure) -> Value
  ) throws(ItemStatus) -> Value {
    do throws(KeychainFailure) {
      return try body()
    } catch {
      throw ItemStatus(error.status)
    }
  }

  /// Runs `body`, which checks a caller's dictionary before it is sent, and rethrows its error as a
  /// status.
  static func parsing<Value>(
    _ body: () throws(KeychainError) -> Value
  ) throws(ItemStatus) -> Value {
    do throws(KeychainError) {
      return try body()
    } catch {
      throw ItemStatus(error.status)
    }
  }
}
