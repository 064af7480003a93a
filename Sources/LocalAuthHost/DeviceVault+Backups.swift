import LocalAuthBackup
import LocalAuthCore
public import LocalAuthCrypto
import LocalAuthSecret
public import LocalAuthService
import LocalAuthUnix

extension BackupWriter: BackupSealing {}
extension BackupReader: BackupOpening {}

/// Backups, whose keys are made and opened on a thread of their own.
extension DeviceVault {
  func beginBackup(
    password: SecretBox?,
    at created: WallInstant,
    completion: @escaping @Sendable (BackupBeginning) -> Void
  ) {
    let isAccepted = tools.backupThread.submit(for: device.owner) { [tools, device] in
      do throws(BackupError) {
        let password = try Self.taken(password)
        completion(.success(try tools.backups.begin(password: password, of: device, at: created)))
      } catch { completion(.failure(error)) }
    }
    if !isAccepted { completion(.failure(.outOfMemory)) }
  }

  func openBackup(
    _ header: [UInt8],
    password: SecretBox?,
    completion: @escaping @Sendable (BackupAccess) -> Void
  ) {
    let isAccepted = tools.backupThread.submit(for: device.owner) { [tools, device] in
      do throws(BackupError) {
        let password = try Self.taken(password)
        completion(.success(try tools.backups.open(header, password: password, on: device)))
      } catch { completion(.failure(error)) }
    }
    if !isAccepted { completion(.failure(.outOfMemory)) }
  }

  /// The password of a box; nil only if there is none, never because it was taken before.
  private static func taken(_ password: SecretBox?) throws(BackupError) -> Secret? {
    guard let password else { return nil }
    guard let secret = password.take() else { throw .passwordNeeded }
    return secret
  }
}
