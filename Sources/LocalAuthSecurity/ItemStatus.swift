import LocalAuth
import LocalAuthEmbedded
import LocalAuthKeychain

/// What a call ended with, as Apple's number.
struct ItemStatus: Error, Hashable {
  let code: OSStatus

  static let param = ItemStatus(.param)
  static let decode = ItemStatus(.decode)
  static let unimplemented = ItemStatus(.unimplemented)

  init(_ status: KeychainStatus) { code = status.rawValue }

  /// What another call ended with; nil for success.
  init?(code: OSStatus) {
    guard code != KeychainStatus.success.rawValue else { return nil }
    self.code = code
  }

  /// Runs `body`; what it throws is the answer.
  static func of(_ body: () throws(ItemStatus) -> Void) -> OSStatus {
    do throws(ItemStatus) {
      try body()
      return KeychainStatus.success.rawValue
    } catch {
      return error.code
    }
  }

  /// Runs `body`; what the keychain throws is thrown as its number.
  static func translating<Value>(
    _ body: () throws(KeychainFailure) -> Value
  ) throws(ItemStatus) -> Value {
    do throws(KeychainFailure) {
      return try body()
    } catch {
      throw ItemStatus(error.status)
    }
  }

  /// The same for what a dictionary of the caller's is refused with before it is sent.
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
