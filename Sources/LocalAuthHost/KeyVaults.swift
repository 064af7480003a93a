import LocalAuthBackup
package import LocalAuthCore
package import LocalAuthCrypto
package import LocalAuthService
package import LocalAuthUnix

/// Creates the vaults of an installation's devices.
package struct KeyVaults: KeyVaultProvider {
  private let deviceKey: DeviceKey
  private let tools: VaultTools

  /// Creates the provider of an installation.
  ///
  /// The passcode of a device in memory has the minimum cost, so that tests are fast.
  ///
  /// - Parameters:
  ///   - deviceKey: The installation's key.
  ///   - isEphemeral: Whether its devices live in memory.
  ///   - threads: Where passcodes are stretched.
  ///   - backupThread: Where passwords of backups are, which takes more memory and time: one thread, so that
  ///     there is one at a time and no passcode waits for it. Nil for `threads`.
  ///   - backupKibibytesMax: The most memory that a backup's header may ask for, in KiB.
  package init(
    _ deviceKey: DeviceKey,
    isEphemeral: Bool,
    on threads: WorkerPool,
    backupsOn backupThread: WorkerPool? = nil,
    backupKibibytesMax: UInt32 = 4_194_304
  ) {
    let floor: PasscodeCost = isEphemeral ? .minimum : .floor
    self.deviceKey = deviceKey
    tools = VaultTools(
      keybags: KeybagCipher(deviceKey, floor: floor),
      passwords: ApplicationPasswordKeys(
        deviceKey,
        cost: isEphemeral ? .minimum : ApplicationPasswordKeys.cost
      ),
      backups: BackupCipher(
        deviceKey,
        cost: isEphemeral ? .minimum : .standard,
        floor: isEphemeral ? .minimum : .floor,
        kibibytesMax: backupKibibytesMax
      ),
      cost: isEphemeral ? .minimum : .standard,
      threads: threads,
      backupThread: backupThread ?? threads
    )
  }

  package func vault(of device: DeviceIdentity) -> any KeyVault {
    DeviceVault(of: device, deviceKey, tools)
  }
}

/// What all vaults of an installation share; usable from any thread.
final class VaultTools: Sendable {
  let keybags: KeybagCipher
  let passwords: ApplicationPasswordKeys
  let backups: BackupCipher
  /// The cost of guessing a passcode, for new keybags.
  let cost: PasscodeCost
  let threads: WorkerPool
  /// Where the passwords of backups are stretched.
  let backupThread: WorkerPool

  init(
    keybags: KeybagCipher,
    passwords: ApplicationPasswordKeys,
    backups: BackupCipher,
    cost: PasscodeCost,
    threads: WorkerPool,
    backupThread: WorkerPool
  ) {
    self.keybags = keybags
    self.passwords = passwords
    self.cost = cost
    self.threads = threads
    self.backups = backups
    self.backupThread = backupThread
  }
}
