// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are Apple's.

public import Foundation
import LocalAuthEmbedded

/// Keeps rights in the keychain of the device that is meant, each with a key and a secret.
public final class LARightStore: NSObject, Sendable {
  /// The store.
  public static let shared = LARightStore()

  private override init() { super.init() }

  /// The right that was saved under a name.
  ///
  /// - Throws: `errSecItemNotFound` in `NSOSStatusErrorDomain` where there is none.
  public func right(forIdentifier identifier: String) async throws -> LAPersistedRight {
    try await CurrentDevice.meant.perform {
      LAPersistedRight(try RightRecord(of: identifier), identifier)
    }
  }

  /// Saves a right under a name, without a secret.
  ///
  /// - Throws: `errSecDuplicateItem` in `NSOSStatusErrorDomain` where the name is taken.
  public func saveRight(_ right: LARight, identifier: String) async throws -> LAPersistedRight {
    try await saveRight(right, identifier: identifier, secret: Data())
  }

  /// Saves a right under a name, with a secret that is read only while the right is authorized.
  ///
  /// - Throws: as ``saveRight(_:identifier:)``; an `LAError` where what the right asks for cannot be
  ///   proven on this device.
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
  /// - Throws: `errSecItemNotFound` in `NSOSStatusErrorDomain` where it is not saved.
  public func removeRight(_ right: LAPersistedRight) async throws {
    try await removeRight(forIdentifier: right.identifier)
  }

  /// Removes the right of a name with its key and its secret.
  ///
  /// - Throws: as ``removeRight(_:)``.
  public func removeRight(forIdentifier identifier: String) async throws {
    try await CurrentDevice.meant.perform { try RightRecord.remove(identifier) }
  }

  /// Removes every right with its key and its secret; that there is none is no error.
  public func removeAllRights() async throws {
    try await CurrentDevice.meant.perform { try RightRecord.removeAll() }
  }
}
