public import LocalAuthCore
public import LocalAuthKeychain
public import LocalAuthSync

/// The adapters that an engine uses.
public struct EnginePorts {
  /// Durable state.
  public var store: any ItemStoring
  /// The keys of devices, and the passcodes that open them.
  public var vaults: any KeyVaultProvider
  /// PAM.
  public var pam: any PasscodeConversing
  /// Returns the authenticators plugged in for a device; called when the device is loaded.
  ///
  /// The device's sensor and passcode are not among them. There is at most one for each factor.
  public var authenticators: (DeviceIdentity) -> [any Authenticator] = { _ in [] }
  /// The clock and timers of the engine's loop.
  public var clock: any Scheduling
  /// Randomness for identifiers, nonces and latencies.
  public var random: any RandomNumberGenerator
  /// Derives the opaque token of an enrolled set, which differs between devices.
  public var digest: any RecordTagger
  /// Digests approved actions.
  public var hash: any MessageHashing
  /// The program that is connected to hubs.
  public var hubs: any HubLinking = NoHub()
  /// Verifies what peers signed.
  public var signatures: any SignatureVerifying
  /// Makes the loop call ``Engine/completionsArrived()`` soon; called on any thread.
  public var wake: @Sendable () -> Void

  /// Makes a set of ports.
  public init(
    store: any ItemStoring,
    vaults: any KeyVaultProvider,
    pam: any PasscodeConversing,
    clock: any Scheduling,
    random: any RandomNumberGenerator,
    digest: any RecordTagger,
    hash: any MessageHashing,
    signatures: any SignatureVerifying,
    wake: @escaping @Sendable () -> Void
  ) {
    self.store = store
    self.vaults = vaults
    self.pam = pam
    self.clock = clock
    self.random = random
    self.digest = digest
    self.hash = hash
    self.signatures = signatures
    self.wake = wake
  }
}
