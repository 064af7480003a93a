// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are Apple's.

public import Foundation
import LocalAuthEmbedded

/// Stores rights in the keychain of the current device, each with a key and a secret.
public final class LARightStore: NSObject, Sendable {
  /// The shared store.
  public static let shared = LARightStore()

  private override init() { super.init() }

  /// Returns the right saved under a name.
  ///
  /// - Throws: `errSecItemNotFound` in `NSOSStatusErrorDomain` if there is none.
  public func right(forIdentifier identifier: String) async throws -> LAPersistedRight {
    try await CurrentDevice.meant.perform {
      LAPersistedRight(try RightRecord(of: identifier), identifier)
    }
  }

  /// Saves a right under a name, without a secret.
  ///
  /// - Throws: `errSecDuplicateItem` in `NSOSStatusErrorDomain` if the name is taken.
  public func saveRight(_ right: LARight, identifier: String) async throws -> LAPersistedRight {
    try await saveRight(right, identifier: identifier, secret: Data())
  }

  /// Saves a right under a name, with a secret that is readable only while the right is authorized.
  ///
  /// - Throws: as ``saveRight(_:identifier:)``; an `LAError` if the device cannot prove what the
  ///   right requires.
  public func saveRight(
    _ right: LARight,
    identifier: String,
    secret: Data
  ) async throws -> LAPersistedRight {
    let requirement = right.requirement
    return try await CurrentDevice.meant.perform {
      LAPersistedRight(try RightRecord(requirement, identifier, secret: secret), identifier)
    }
  }

  /// Removes a right with its key and its secret.
  ///
  /// - Throws: `errSecItemNotFound` in `NSOSStatusErrorDomain` if it is not saved.
  public func removeRight(_ right: LAPersistedRight) async throws {
    try await removeRight(forIdentifier: right.identifier)
  }

  /// Removes the right saved under a name, with its key and its secret.
  ///
  /// - Throws: as ``removeRight(_:)``.
  public func removeRight(forIdentifier identifier: String) async throws {
    try await CurrentDevice.meant.perform { try RightRecord.remove(identifier) }
  }

  /// Removes every right with its key and its secret; does nothing if there is none.
  public func removeAllRights() async throws {
    try await CurrentDevice.meant.perform { try RightRecord.removeAll() }
  }
}
