import LocalAuthCore
public import LocalAuthKeychain
public import LocalAuthSecret

/// The keys of protected files, which the device's class keys open.
extension Engine {
  /// Makes the key of a new protected file of the caller.
  ///
  /// It throws `refused` with the outcome if the state of the device keeps the class locked.
  public func makeFileKey(
    _ protection: FileProtection,
    on name: String?,
    allowsSimulated: Bool,
    caller: Caller
  ) throws(EngineError) -> (key: SecretBox, wrapped: WrappedFileKey) {
    let device = try keyedDevice(named: name, allowsSimulated, caller)
    if protection != .completeUnlessOpen { try require(protection, on: device) }
    guard let made = device.vault.makeFileKey(protection) else {
      let detail = "This device can make such files while it is locked once it was unlocked."
      throw .refused(Outcome(.itemLocked, detail: detail))
    }
    return made
  }

  /// Opens the key of a protected file of the caller.
  ///
  /// It throws as ``makeFileKey(_:on:allowsSimulated:caller:)`` does; for a key that is another device's, unless what opens
  /// it was carried here by a backup, or that was changed, with `itemNotFound`.
  public func openFileKey(
    _ wrapped: WrappedFileKey,
    on name: String?,
    allowsSimulated: Bool,
    caller: Caller
  ) throws(EngineError) -> SecretBox {
    let device = try keyedDevice(named: name, allowsSimulated, caller)
    try require(wrapped.protection, on: device)
    if let key = device.vault.openFileKey(wrapped) { return key }
    if let key = try openCarried(wrapped, on: device) { return key }
    let detail = "This device has no key for the file: it is another device's, or was changed."
    throw .refused(Outcome(.itemNotFound, detail: detail))
  }

  /// Throws unless the state of the device lets files of this protection be opened.
  private func require(
    _ protection: FileProtection,
    on device: LiveDevice
  ) throws(EngineError) {
    let now = device.now(clock.now()).boot
    guard device.canUse(protection.protectionClass, at: now) else {
      let detail = "The device's state keeps files of this protection locked."
      throw .refused(Outcome(.itemLocked, detail: detail))
    }
  }
}
