import LocalAuthCore
import LocalAuthCrypto
import LocalAuthKeychain
import LocalAuthSecret
import LocalAuthService
import LocalAuthUnix
import Synchronization

/// Class keys in transit between a keybag and a vault.
///
/// Sealing a keybag includes the secret of the enrolled set at that moment, so the set must not
/// change until the keybag is stored.
final class KeyBundle: OpenedKeys, @unchecked Sendable {
  // @unchecked: `vault` belongs to the engine's thread, and only `install` uses it, on that thread.
  private weak var vault: DeviceVault?
  private let keys: Mutex<ClassKeys>
  private let device: DeviceIdentity
  private let tools: VaultTools
  private let enrolledSet: EnrolledSetSlot

  /// Creates a bundle of `keys` for `vault`; engine's thread only.
  init(of vault: DeviceVault, _ keys: consuming ClassKeys) {
    self.vault = vault
    self.keys = Mutex(keys)
    device = vault.device
    tools = vault.tools
    enrolledSet = vault.enrolledSet
  }

  func install(_ classes: ProtectionClassSet) {
    vault?.install(classes, from: held)
  }

  func seal(
    _ record: KeybagRecord,
    passcode: SecretBox?,
    completion: @escaping @Sendable ([UInt8]?) -> Void
  ) {
    let isAccepted = tools.threads.submit(for: device.owner) { [self] in
      guard let passcode else { return completion(try? sealed(record).bytes) }
      guard let passcode = passcode.take() else { return completion(nil) }
      completion(try? sealed(record, passcode).bytes)
    }
    if !isAccepted { completion(nil) }
  }

  private func sealed(_ record: KeybagRecord) throws(KeybagError) -> SealedKeybag {
    guard !record.hasPasscode else { throw .malformed }
    return try tools.keybags.seal(held, record, enrolledSet: enrolledSet.current, for: device)
  }

  private func sealed(
    _ record: KeybagRecord,
    _ passcode: borrowing Secret
  ) throws(KeybagError) -> SealedKeybag {
    guard record.hasPasscode else { throw .malformed }
    return try tools.keybags.seal(
      held,
      record,
      enrolledSet: enrolledSet.current,
      passcode: passcode,
      cost: tools.cost,
      for: device
    )
  }

  /// The same keys, shared so that no thread waits for the lock while a passcode is stretched.
  private var held: ClassKeys { keys.withLock { keys in keys.sharing(keys.classes) } }

  // MARK: Opening

  /// Tries `passcodes` on `keybag` and takes its keys if one of them opens it.
  ///
  /// Blocks until the guesses are computed.
  func open(_ keybag: [UInt8], with passcodes: [SecretBox]) -> KeybagOpening {
    var isJudged = false
    for box in passcodes {
      // A passcode that was already taken was not judged, so it cannot be called wrong.
      guard let passcode = box.take() else { return .failed }
      let opening = open(keybag, with: passcode)
      switch opening {
      case .opened, .failed, .turnedAway: return opening
      case .wrong: isJudged = true
      }
    }
    return isJudged ? .wrong : .failed
  }

  private func open(_ bytes: [UInt8], with passcode: borrowing Secret) -> KeybagOpening {
    guard let keybag = SealedKeybag(bytes: bytes) else { return .failed }
    do throws(KeybagError) {
      let opened = try tools.keybags.open(keybag, passcode: passcode, for: device)
      keys.withLock { $0.add(opened) }
      return .opened(self)
    } catch {
      switch error {
      case .wrongPasscode: return .wrong
      case .malformed, .tooCheap, .outOfMemory: return .failed
      }
    }
  }
}
