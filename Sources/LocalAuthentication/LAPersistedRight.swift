// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are Apple's.

public import Foundation
import LocalAuthEmbedded
import LocalAuthKeychain
import LocalAuthSecurity

/// A saved right, with its own secret and key.
public final class LAPersistedRight: LARight, @unchecked Sendable {
  let identifier: String
  let record: RightRecord

  init(_ record: RightRecord, _ identifier: String) {
    self.record = record
    self.identifier = identifier
    super.init(requirement: record.requirement)
  }

  /// The right's key.
  public var key: LAPrivateKey { LAPrivateKey(self) }
  /// The secret saved with the right.
  public var secret: LASecret { LASecret(self) }

  /// Obtains the proof that the right's key requires; fails if the key has been destroyed.
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
        context.evaluate(control, .useKey, reason) { _, error in completion(error) }
      } catch {
        completion(error)
      }
    }
  }

  /// Runs `body` with the right's key, on a thread where it may wait.
  ///
  /// - Throws: ``LAError/Code/notInteractive``, without asking anyone, if the right is not
  ///   authorized.
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

  /// The secret; empty if none was saved.
  ///
  /// - Throws: ``LAError/Code/notInteractive``, without asking anyone, if the right is not
  ///   authorized.
  public var rawData: Data {
    get async throws {
      let record = right.record
      return try await right.withKey { try record.secret(with: $0) }
    }
  }

  /// Loads ``rawData`` and calls back on a dedicated thread.
  @preconcurrency
  public func loadData(completion: @escaping @Sendable (Data?, (any Error)?) -> Void) {
    right.device.reply(completion) { [self] in try await rawData }
  }
}
