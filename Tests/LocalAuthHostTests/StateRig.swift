import Glibc
import LocalAuthCore
import LocalAuthCrypto
import LocalAuthKeychain
import LocalAuthPolicies
import LocalAuthService
import LocalAuthTestSupport
import LocalAuthUnix

@testable import LocalAuthHost
@testable import LocalAuthStore

/// The files of a state directory, out of which directories are made.
struct StateFiles: Sendable {
  static let database = "state.sqlite"
  static let log = "state.sqlite-wal"
  static let mirror = "sequence"
  static let copy = "watermark"
  static let key = "device.key"

  var contents: [String: [UInt8]] = [:]

  init() {}

  /// What is in the directory at `path`.
  init(of path: String) {
    for name in [Self.database, Self.log, Self.mirror, Self.copy, Self.key] {
      contents[name] = Self.read("\(path)/\(name)")
    }
  }

  func write(to path: String) {
    for (name, bytes) in contents { Self.write(bytes, to: "\(path)/\(name)") }
  }

  private static func read(_ path: String) -> [UInt8]? {
    // SAFETY: the string is a C string for the call.
    let file = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: Int(lseek(file, 0, SEEK_END)))
    // SAFETY: the array has room for that many bytes.
    let count = unsafe pread(file, &bytes, bytes.count, 0)
    return Array(bytes.prefix(max(0, count)))
  }

  private static func write(_ bytes: [UInt8], to path: String) {
    // SAFETY: the string is a C string for the call.
    let file = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    precondition(file >= 0, "a file can be made in a directory of our own")
    defer { close(file) }
    // SAFETY: the array has that many bytes.
    let count = unsafe Glibc.write(file, bytes, bytes.count)
    precondition(count == bytes.count, "a file can be written in a directory of our own")
  }
}

/// A directory of a test's own, in memory where there is such a place.
final class StateScratch {
  let path: String

  init() {
    // SAFETY: the string is a C string for the call.
    let parent = unsafe access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp"
    var template = Array("\(parent)/la-XXXXXX".utf8CString)
    // SAFETY: the array is a C string that mkdtemp overwrites in place.
    guard unsafe mkdtemp(&template) != nil else { fatalError("mkdtemp: errno \(errno)") }
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  deinit {
    for name in [
      StateFiles.database, StateFiles.log, StateFiles.database + "-shm", StateFiles.mirror,
      StateFiles.copy, StateFiles.key, "lock",
    ] {
      // SAFETY: the string is a C string for the call.
      _ = unsafe unlink("\(path)/\(name)")
    }
    // SAFETY: the same.
    _ = unsafe rmdir(path)
  }
}

/// The real engine over a state directory as the daemon has it, but that a guess costs as little as
/// there is.
final class StateRig {
  static let owner: UInt32 = 1000

  let store: Store
  let clock = HandClock()
  let caller = Caller(uid: owner, pid: 42, program: "test", process: LivingProcess())
  let engine: Engine
  private let threads: WorkerPool
  private let completions = Completions()
  private let directory: StateDirectory
  private var nextContext: UInt64 = 1_000

  /// Opens the directory at `path`; nil when that is refused.
  init?(opening path: String) throws {
    directory = try StateDirectory(opening: path)
    let key: DeviceKey
    do {
      guard let kept = try DeviceKeyFile.read(StateFiles.key, in: directory.directory) else {
        return nil
      }
      key = kept
      store = try Store(
        path: directory.path(of: StateFiles.database),
        tagger: KeyedRecordTagger(key),
        mirror: FileMirror(FileMirror.name, in: directory.directory),
        copy: FileMirror(FileMirror.copyName, in: directory.directory),
        raising: try Host.raising(by: PolicyCatalog(system: nil, user: nil))
      )
    } catch is StorageError {
      return nil
    } catch is DurableFileError {
      return nil
    }
    threads = try WorkerPool(name: "state-rig", threads: 1)
    let completions = completions
    var options = EngineOptions(owner: Self.owner)
    options.isEphemeral = true
    engine = Engine(
      ports: EnginePorts(
        store: store,
        vaults: KeyVaults(key, isEphemeral: true, on: threads),
        pam: TellingPAM(),
        clock: clock,
        random: SeededGenerator(seed: 1),
        digest: KeyedRecordTagger(key),
        hash: MessageHash(),
        signatures: PeerSignatures(),
        wake: { completions.ring() }
      ),
      catalog: PolicyCatalog(),
      state: store.state,
      options: options
    )
  }

  deinit { close() }

  func close() {
    store.close()
    threads.shutdown()
  }

  /// Makes a directory's device key; before the first rig on it.
  static func found(_ path: String) throws {
    let directory = try StateDirectory(opening: path)
    _ = try DeviceKeyFile.create(StateFiles.key, in: directory.directory)
  }

  func turn(until isDone: () -> Bool) {
    while !isDone() {
      clock.runDue()
      if isDone() { return }
      // Where nothing is under way on other threads, time has to pass.
      if completions.wait(milliseconds: 2) {
        engine.completionsArrived()
      } else {
        clock.pass(.milliseconds(100))
      }
    }
  }

  /// Does an act and says whether it succeeded.
  private func perform(_ body: (@escaping Engine.Completion) throws -> Void) -> Bool {
    var ended: Result<Void, EngineError>?
    do { try body { ended = $0 } } catch { return false }
    turn { ended != nil }
    return (try? ended?.get()) != nil
  }

  func create(_ device: String, passcode: String?) -> Bool {
    var description = DeviceDescription(name: device)
    description.fingers = [.rightIndex]
    description.passcode = passcode.map { .of($0) }
    return perform { engine.create(description, caller: caller, then: $0) }
  }

  @discardableResult
  func unlock(_ device: String, _ passcode: String) -> Bool {
    perform { engine.unlock(device, passcode: .of(passcode), caller: caller, then: $0) }
  }

  /// Makes a call on a device and waits for its end; nil when it was refused at once.
  func call(
    _ operation: KeychainRequest.Operation,
    on device: String,
    script: String? = nil,
    password: String? = nil
  ) -> KeychainAnswer? {
    var asking = EvaluationRequest(policy: "", reason: "test", device: device)
    // Whoever is asked for more than the script has goes away.
    let events = script.map { $0 + ",cancel" } ?? "cancel"
    asking.script = ScriptSource(text: .of(events), isArgument: true)
    asking.isInteractive = true
    asking.allowsSimulated = true
    nextContext += 1
    var request = KeychainRequest(
      operation,
      asking: asking,
      context: ContextIdentity(connection: nextContext, context: 1),
      groups: AccessGroups(["local", "more"])
    )
    request.applicationPassword = password.map { .of($0) }
    var answer: KeychainAnswer?
    do {
      _ = try engine.keychain(request, caller: caller) { event in
        if case .finished(let ended) = event { answer = ended }
      }
    } catch { return nil }
    turn { answer != nil }
    return answer
  }

  /// How often the audit says that something of an item is damaged.
  func damageLines() -> Int {
    // The lines are written one after another, so after this one all are there.
    let done = Completions()
    store.commit([], .ordinary) { _ in done.ring() }
    done.wait()
    let lines = try? store.audit(owner: Self.owner, device: nil, limit: 1000)
    return lines?.count { $0.action == "keychain damage" } ?? 0
  }
}
