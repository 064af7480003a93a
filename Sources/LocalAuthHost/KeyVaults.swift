package import LocalAuthCore
package import LocalAuthCrypto
package import LocalAuthService
package import LocalAuthUnix

/// Makes the vaults of one installation's devices.
package struct KeyVaults: KeyVaultProvider {
  private let deviceKey: DeviceKey
  private let tools: VaultTools

  /// The vaults of the installation whose key is `deviceKey`; what takes long runs on `threads`.
  ///
  /// A passcode of a device that lives in memory costs as little as there is, so that tests are fast.
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

/// What all vaults of an installation share, on every thread.
final class VaultTools: Sendable {
  let keybags: KeybagCipher
  let passwords: ApplicationPasswordKeys
  /// What a guess of a passcode shall cost in keybags that are made.
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
