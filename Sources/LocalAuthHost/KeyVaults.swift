package import LocalAuthCore
package import LocalAuthCrypto
package import LocalAuthService
package import LocalAuthUnix

/// Creates the vaults of an installation's devices.
package struct KeyVaults: KeyVaultProvider {
  private let deviceKey: DeviceKey
  private let tools: VaultTools

  /// Creates the provider for the installation whose key is `deviceKey`; slow work runs on
  /// `threads`.
  ///
  /// The passcode of a device in memory has the minimum cost, so that tests are fast.
  package init(_ deviceKey: DeviceKey, isEphemeral: Bool, on threads: WorkerPool) {
    let floor: PasscodeCost = isEphemeral ? .minimum : .floor
    self.deviceKey = deviceKey
    tools = VaultTools(
      keybags: KeybagCipher(deviceKey, floor: floor),
      passwords: ApplicationPasswordKeys(
        deviceKey,
        cost: isEphemeral ? .minimum : ApplicationPasswordKeys.cost
      ),
      cost: isEphemeral ? .minimum : .standard,
      threads: threads
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
  /// The cost of guessing a passcode, for new keybags.
  let cost: PasscodeCost
  let threads: WorkerPool

  init(
    keybags: KeybagCipher,
    passwords: ApplicationPasswordKeys,
    cost: PasscodeCost,
    threads: WorkerPool
  ) {
    self.keybags = keybags
    self.passwords = passwords
    self.cost = cost
    self.threads = threads
  }
}
