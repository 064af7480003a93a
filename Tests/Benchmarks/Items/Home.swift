import Glibc
import LocalAuthCore
import LocalAuthCrypto
import LocalAuthHost
import LocalAuthKeychain
import LocalAuthService
import LocalAuthStore
import LocalAuthUnix

/// A daemon's state directory while no daemon runs, and the vault of one device in it.
final class Home {
  let store: Store
  let vault: any KeyVault
  let device: DeviceIdentity
  let keybag: KeybagRecord

  /// Opens the directory at `path`, which a daemon has made with a device named `name` without a
  /// passcode.
  init(_ path: String, device name: String) throws {
    let directory = try PrivateDirectory(opening: path)
    guard let key = try DeviceKeyFile.read("device.key", in: directory) else {
      throw HomeError("\(path) has no device key")
    }
    store = try Store(
      path: directory.path(of: "state.sqlite"),
      tagger: KeyedRecordTagger(key),
      mirror: FileMirror(FileMirror.name, in: directory),
      copy: FileMirror(FileMirror.copyName, in: directory),
      raising: { _, _ in }
    )
    guard let stored = store.state.keybags.first(where: { $0.device.name == name }) else {
      throw HomeError("\(path) has no device named \(name)")
    }
    device = stored.device
    let threads = try WorkerPool(name: "items", threads: 1)
    vault = KeyVaults(key, isEphemeral: false, on: threads).vault(of: device)
    guard let keybag = vault.load(stored.sealed) else {
      throw HomeError("the keybag of \(name) cannot be opened")
    }
    self.keybag = keybag
  }

  /// Commits `items` in one transaction, and waits until it is durable.
  func add(_ items: [SealedItem]) throws {
    let committed = Committed()
    store.commit([], items: items.map { .add($0) }, .ordinary) { committed.finish($0) }
    try committed.wait()
  }
}

struct HomeError: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}

/// Hands the end of a commit from the storage thread to the one that waits.
@safe private final class Committed: @unchecked Sendable {
  // @unchecked: the result is written before the semaphore is posted, and read after it was taken.
  private let ended = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)
  private var result: Result<Void, StorageError>?

  init() { unsafe sem_init(ended, 0, 0) }

  deinit { unsafe ended.deallocate() }

  func finish(_ result: Result<Void, StorageError>) {
    self.result = result
    unsafe sem_post(ended)
  }

  func wait() throws(StorageError) {
    while unsafe sem_wait(ended) != 0 {}
    try result?.get()
  }
}
