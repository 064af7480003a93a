// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are Apple's.

public import Foundation
import LocalAuth
import LocalAuthEmbedded
import LocalAuthKeychain
import LocalAuthSecret

/// Keeps rights in the keychain of the device that is meant, each with a secret.
///
/// Keys of rights are not there yet.
public final class LARightStore: NSObject, Sendable {
  /// The store.
  public static let shared = LARightStore()

  private override init() { super.init() }

  /// The right that was saved under a name.
  ///
  /// - Throws: `errSecItemNotFound` in `NSOSStatusErrorDomain` where there is none.
  public func right(forIdentifier identifier: String) async throws -> LAPersistedRight {
    try await perform { (keychain) throws(KeychainFailure) in
      guard let word = try await keychain(.rights).string(for: identifier) else {
        throw .itemNotFound
      }
      guard let kind = LAAuthenticationRequirement.Kind(rawValue: word) else {
        throw .undecodable("a right")
      }
      return LAPersistedRight(LAAuthenticationRequirement(kind), identifier)
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
    return try await perform { (keychain) throws(KeychainFailure) in
      guard let accessControl = requirement.accessControl else {
        throw .authentication(.authenticationFailed)
      }
      var batch = KeychainBatch()
      batch.append(
        .genericPassword(
          service: Service.rights.rawValue,
          account: identifier,
          accessControl: AccessControl(accessControl.protection)
        ),
        data: Secret(Data(requirement.kind.rawValue.utf8))
      )
      batch.append(
        .genericPassword(
          service: Service.secrets.rawValue,
          account: identifier,
          accessControl: accessControl
        ),
        data: Self.protected(secret)
      )
      do throws(KeychainBatchFailure) {
        try await keychain(.rights).add(batch)
      } catch {
        throw error.failure
      }
      return LAPersistedRight(requirement, identifier)
    }
  }

  /// Removes a right and its secret.
  ///
  /// - Throws: `errSecItemNotFound` in `NSOSStatusErrorDomain` where it is not saved.
  public func removeRight(_ right: LAPersistedRight) async throws {
    try await removeRight(forIdentifier: right.identifier)
  }

  /// Removes the right of a name and its secret.
  ///
  /// - Throws: as ``removeRight(_:)``.
  public func removeRight(forIdentifier identifier: String) async throws {
    try await perform { (keychain) throws(KeychainFailure) in
      try await keychain(.secrets).remove(identifier)
      guard try await keychain(.rights).remove(identifier) else { throw .itemNotFound }
    }
  }

  /// Removes every right and its secret; that there is none is no error.
  public func removeAllRights() async throws {
    try await perform { (keychain) throws(KeychainFailure) in
      try await keychain(.secrets).removeAll()
      try await keychain(.rights).removeAll()
    }
  }

  // MARK: Items

  /// Under which service the items of rights are.
  enum Service: String {
    case rights = "com.apple.LocalAuthentication.LARight"
    case secrets = "com.apple.LocalAuthentication.LARight.secret"
  }

  /// What is kept of a secret: never nothing, because what has no data is not protected.
  private static func protected(_ secret: Data) -> Secret {
    var kept = Secret(capacity: 1 + secret.count)
    _ = kept.append(0)
    kept.append(contentsOf: Secret(secret))
    return kept
  }

  private func perform<Value>(
    _ body: ((Service) -> Keychain) async throws(KeychainFailure) -> Value
  ) async throws -> Value {
    let current: Keychain
    do throws(DeviceError) {
      current = try CurrentDevice.get().keychain
    } catch {
      throw NSError(KeychainFailure.service(.internalError("\(error)")))
    }
    do throws(KeychainFailure) {
      return try await body { service in
        var keychain = current
        keychain.service = service.rawValue
        return keychain
      }
    } catch {
      throw NSError(error)
    }
  }
}
