import LocalAuthCore
import LocalAuthSecret
import Synchronization

/// Carries completions from the store's and the vaults' threads to the engine's loop.
///
/// A completion names its step. The caller waiting for it may be gone by then, and the machines
/// ignore completions that come too late.
final class Mailbox: Sendable {
  enum Completion: Sendable {
    case committed(step: UInt64, Result<Void, StorageError>)
    case opened(step: UInt64, KeybagOpening)
    case sealed(step: UInt64, [UInt8]?)
    case stretched(step: UInt64, SecretBox?)
    case backupBegan(step: UInt64, BackupBeginning)
    case backupOpened(step: UInt64, BackupAccess)
  }

  private let waiting = Mutex<[Completion]>([])
  private let wake: @Sendable () -> Void

  /// A mailbox whose `wake` makes the loop call ``Engine/completionsArrived()`` soon.
  init(wake: @escaping @Sendable () -> Void) { self.wake = wake }

  func post(_ completion: Completion) {
    let isFirst = waiting.withLock { waiting in
      waiting.append(completion)
      return waiting.count == 1
    }
    if isFirst { wake() }
  }

  func takeAll() -> [Completion] {
    waiting.withLock { waiting in
      let all = waiting
      waiting.removeAll(keepingCapacity: true)
      return all
    }
  }
}
