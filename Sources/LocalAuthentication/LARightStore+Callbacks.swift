public import Foundation
import LocalAuthEmbedded

/// Callback-based variants, which call back on dedicated threads.
extension LARightStore {
  /// As ``right(forIdentifier:)``.
  @preconcurrency
  public func right(
    forIdentifier identifier: String,
    completion: @escaping @Sendable (LAPersistedRight?, (any Error)?) -> Void
  ) {
    CurrentDevice.meant.reply(completion) { try await self.right(forIdentifier: identifier) }
  }

  /// As ``saveRight(_:identifier:)``.
  @preconcurrency
  public func saveRight(
    _ right: LARight,
    identifier: String,
    completion: @escaping @Sendable (LAPersistedRight?, (any Error)?) -> Void
  ) {
    CurrentDevice.meant.reply(completion) {
      try await self.saveRight(right, identifier: identifier)
    }
  }

  /// As ``saveRight(_:identifier:secret:)``.
  @preconcurrency
  public func saveRight(
    _ right: LARight,
    identifier: String,
    secret: Data,
    completion: @escaping @Sendable (LAPersistedRight?, (any Error)?) -> Void
  ) {
    CurrentDevice.meant.reply(completion) {
      try await self.saveRight(right, identifier: identifier, secret: secret)
    }
  }

  /// As ``removeRight(_:)``.
  @preconcurrency
  public func removeRight(
    _ right: LAPersistedRight,
    completion: @escaping @Sendable ((any Error)?) -> Void
  ) {
    CurrentDevice.meant.reply({ completion($1) }, after: { try await self.removeRight(right) })
  }

  /// As ``removeRight(forIdentifier:)``.
  @preconcurrency
  public func removeRight(
    forIdentifier identifier: String,
    completion: @escaping @Sendable ((any Error)?) -> Void
  ) {
    CurrentDevice.meant.reply(
      { completion($1) },
      after: { try await self.removeRight(forIdentifier: identifier) }
    )
  }

  /// As ``removeAllRights()``.
  @preconcurrency
  public func removeAllRights(completion: @escaping @Sendable ((any Error)?) -> Void) {
    CurrentDevice.meant.reply({ completion($1) }, after: { try await self.removeAllRights() })
  }
}
