// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are Apple's.

public import Foundation
import LocalAuth
import LocalAuthKeychain

/// A right that is saved, with its secret.
public final class LAPersistedRight: LARight, @unchecked Sendable {
  let identifier: String

  init(_ requirement: LAAuthenticationRequirement, _ identifier: String) {
    self.identifier = identifier
    super.init(requirement: requirement)
  }

  /// What was saved with it.
  public var secret: LASecret { LASecret(self) }

  /// What the secret asks for is proven by opening it: what was destroyed since cannot be.
  override func prove(
    in context: LAContext,
    _ reason: String,
    completion: @escaping @Sendable ((any Error)?) -> Void
  ) {
    let (identifier, device) = (identifier, device)
    Task {
      do throws(KeychainFailure) {
        _ = try await context.secret(of: identifier, .allow, reason)
        device.useOnOwnThread { completion(nil) }
      } catch {
        device.useOnOwnThread { completion(NSError(error)) }
      }
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
      guard right.state == .authorized else { throw LAError(.notInteractive)._nsError }
      do throws(KeychainFailure) {
        return try await right.context.secret(of: right.identifier, .fail, nil)
      } catch {
        throw NSError(error)
      }
    }
  }

  /// The same for a caller that is called back, on a thread of its own.
  @preconcurrency
  public func loadData(completion: @escaping @Sendable (Data?, (any Error)?) -> Void) {
    Task {
      do {
        let data = try await rawData
        right.device.useOnOwnThread { completion(data, nil) }
      } catch {
        right.device.useOnOwnThread { completion(nil, error) }
      }
    }
  }
}

extension LAContext {
  /// The secret of a saved right, opened with what is proven in this context.
  fileprivate func secret(
    of identifier: String,
    _ interaction: InterfaceMode,
    _ reason: String?
  ) async throws(KeychainFailure) -> Data {
    var query = KeychainQuery.genericPasswords(
      service: LARightStore.Service.secrets.rawValue,
      account: identifier
    )
    query.interaction = interaction
    query.reason = reason?.cut(to: 1024)
    let item = try await Keychain(context: authContext).item(matching: query, withData: true)
    guard let secret = item?.takeData() else { throw .itemNotFound }
    // SAFETY: the bytes are copied while they are lent.
    return unsafe secret.withUnsafeBytes { unsafe Data($0.dropFirst()) }
  }
}
