// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are Apple's.

public import Foundation
import LocalAuthEmbedded
import LocalAuthKeychain
import LocalAuthSecurity

/// A right that is saved, with a secret and a key of its own.
public final class LAPersistedRight: LARight, @unchecked Sendable {
  let identifier: String
  let record: RightRecord

  init(_ record: RightRecord, _ identifier: String) {
    self.record = record
    self.identifier = identifier
    super.init(requirement: record.requirement)
  }

  /// The key that was made for it.
  public var key: LAPrivateKey { LAPrivateKey(self) }
  /// What was saved with it.
  public var secret: LASecret { LASecret(self) }

  /// What the right's key asks for; one that was destroyed since cannot be proven for.
  override func prove(
    in context: LAContext,
    _ reason: String,
    completion: @escaping @Sendable ((any Error)?) -> Void
  ) {
    let (identifier, control) = (identifier, requirement.keyAccessControl)
    device.useOnOwnThread {
      do {
        _ = try RightRecord.key(of: identifier, in: context)
        guard let control else { throw LAError(.authenticationFailed)._nsError }
        context.authContext.evaluate(control, .useKey, reason) { result in
          result.tell { _, error in completion(error) }
        }
      } catch {
        completion(error)
      }
    }
  }

  /// Runs `body` with the right's key, on a thread where it may wait.
  ///
  /// - Throws: ``LAError/Code/notInteractive`` while the right is not authorized: nobody is asked here.
  func withKey<Value: Sendable>(
    _ body: @escaping @Sendable (SecKey) throws -> Value
  ) async throws -> Value {
    guard state == .authorized else { throw LAError(.notInteractive)._nsError }
    let (identifier, context) = (identifier, context)
    return try await device.perform {
      try body(RightRecord.key(of: identifier, in: context))
    }
  }
}

/// The secret of a saved right.
public final class LASecret: NSObject, Sendable {
  private let right: LAPersistedRight

  init(_ right: LAPersistedRight) {
    self.right = right
    super.init()
  }

  /// The secret; empty where none was saved.
  ///
  /// - Throws: ``LAError/Code/notInteractive`` while the right is not authorized: nobody is asked here.
  public var rawData: Data {
    get async throws {
      let record = right.record
      return try await right.withKey { try record.secret(with: $0) }
    }
  }

  /// The same for a caller that is called back, on a thread of its own.
  @preconcurrency
  public func loadData(completion: @escaping @Sendable (Data?, (any Error)?) -> Void) {
    right.device.reply(completion) { [self] in try await rawData }
  }
}
