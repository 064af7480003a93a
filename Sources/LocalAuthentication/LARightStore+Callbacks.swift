public import Foundation
import LocalAuthEmbedded

/// The same for callers that are called back, on threads of their own.
extension LARightStore {
  /// As ``right(forIdentifier:)``.
  @preconcurrency
  public func right(
    forIdentifier identifier: String,
    completion: @escaping @Sendable (LAPersistedRight?, (any Error)?) -> Void
  ) {
    reply(completion) { try await self.right(forIdentifier: identifier) }
  }

  /// As ``saveRight(_:identifier:)``.
  @preconcurrency
  public func saveRight(
    _ right: LARight,
    identifier: String,
    completion: @escaping @Sendable (LAPersistedRight?, (any Error)?) -> Void
  ) {
    reply(completion) { try await self.saveRight(right, identifier: identifier) }
  }

  /// As ``saveRight(_:identifier:secret:)``.
  @preconcurrency
  public func saveRight(
    _ right: LARight,
    identifier: String,
    secret: Data,
    completion: @escaping @Sendable (LAPersistedRight?, (any Error)?) -> Void
  ) {
    reply(completion) { try await self.saveRight(right, identifier: identifier, secret: secret) }
  }

  /// As ``removeRight(_:)``.
  @preconcurrency
  public func removeRight(
    _ right: LAPersistedRight,
    completion: @escaping @Sendable ((any Error)?) -> Void
  ) {
    reply({ completion($1) }, after: { try await self.removeRight(right) })
  }

  /// As ``removeRight(forIdentifier:)``.
  @preconcurrency
  public func removeRight(
    forIdentifier identifier: String,
    completion: @escaping @Sendable ((any Error)?) -> Void
  ) {
    reply({ completion($1) }, after: { try await self.removeRight(forIdentifier: identifier) })
  }

  /// As ``removeAllRights()``.
  @preconcurrency
  public func removeAllRights(completion: @escaping @Sendable ((any Error)?) -> Void) {
    reply({ completion($1) }, after: { try await self.removeAllRights() })
  }

  private func reply<Value: Sendable>(
    _ completion: @escaping @Sendable (Value?, (any Error)?) -> Void,
    after body: @escaping @Sendable () async throws -> Value
  ) {
    let device = CurrentDevice.meant
    // The task means the same device, as tasks do that are started where it is meant.
    Task {
      do {
        let value = try await body()
        device.useOnOwnThread { completion(value, nil) }
      } catch {
        device.useOnOwnThread { completion(nil, error) }
      }
    }
  }
}
