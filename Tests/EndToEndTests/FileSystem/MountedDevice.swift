import Glibc
import LocalAuthUnix

/// A device, a directory of protected files, and where it is mounted, in a mount namespace of its own.
final class MountedDevice {
  let device: SecretDevice
  let directory: String
  let place: String
  /// Keeps the namespace.
  private let holder: RunningProgram
  private(set) var program: RunningProgram?
  private let errors: Captured

  static let script = Files.beside("mounted-files.py", #filePath)

  struct NotMounted: Error {
    let errors: String
  }

  /// Whether this machine lets a test mount something.
  static let isPossible: Bool = {
    // SAFETY: the string is a C string for the call.
    let device = FileDescriptor(owning: unsafe open("/dev/fuse", O_RDWR | O_CLOEXEC))
    let tools = ["unshare", "nsenter", "python3"].allSatisfy { Machine.find($0) != nil }
    return Machine.isRoot && device.rawValue >= 0 && tools
  }()

  /// Makes the device and the directory, and mounts it unless told otherwise.
  init(isMounted: Bool = true) throws {
    device = try SecretDevice()
    directory = try device.scratch.makeDirectory("vault")
    place = try device.scratch.makeDirectory("open")
    errors = try Captured()
    let ready = BytePipe()
    holder = try RunningProgram(
      SpawnRequest(
        executable: try Self.tool("unshare"),
        arguments: [
          "--mount", "--propagation", "private", "/bin/sh", "-c", "echo >&3; exec sleep 1000000",
        ],
        environment: Self.environment,
        descriptors: [.null, .null, .null, .duplicate(of: ready.writingEnd)]
      )
    )
    ready.closeWriter()
    guard ready.read(within: .seconds(60)) else { throw NotMounted(errors: "unshare") }
    if isMounted { try mount() }
  }

  deinit { _ = try? program?.end() }

  private static let environment = ["PATH=/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL=C"]

  private static func tool(_ name: String) throws -> String {
    guard let path = Machine.find(name) else { throw Machine.Missing(what: name) }
    return path
  }

  /// What runs `words` in the namespace.
  private func inside(_ words: [String]) throws -> (program: String, arguments: [String]) {
    let namespace = "--mount=/proc/\(holder.processID)/ns/mnt"
    return (try Self.tool("nsenter"), [namespace, "--"] + words)
  }

  /// Starts the file system, as what `words` run, and waits until it is mounted.
  func mount(through starter: [String] = []) throws {
    let ready = BytePipe()
    let words = device.words + ["--ready-fd", "3", directory, place]
    let (nsenter, arguments) = try inside(starter + [Machine.programs + "/localauth-fuse"] + words)
    program = try RunningProgram(
      SpawnRequest(
        executable: nsenter,
        arguments: arguments,
        environment: Self.environment,
        descriptors: [
          .null, .null, .duplicate(of: errors.descriptor), .duplicate(of: ready.writingEnd),
        ]
      )
    )
    ready.closeWriter()
    guard ready.read(within: .seconds(60)), errors.text.isEmpty else {
      throw NotMounted(errors: errors.text)
    }
  }

  /// Unmounts the file system and waits until it has ended.
  func unmount() throws {
    let run = try run(["umount", place])
    guard run.status == 0 else { throw NotMounted(errors: run.errors) }
    _ = try program?.waitForExit()
  }

  /// Runs a program that sees the mounted files.
  func run(_ words: [String], input: String = "") throws -> RunningProgram.Report {
    let (nsenter, arguments) = try inside(words)
    return try RunningProgram.run(
      nsenter,
      arguments,
      environment: Self.environment + ["HOME=/dev/null"],
      input: input,
      within: .seconds(300)
    )
  }

  /// Runs a script of the shell in the mounted directory; `$1` is the directory behind it.
  func shell(_ script: String) throws -> RunningProgram.Report {
    try run(["/bin/sh", "-c", "set -eu; cd \(place); " + script, "sh", directory])
  }

  /// Begins a script of the shell in the mounted directory, which goes on until it is ended.
  func begin(_ script: String) throws -> RunningProgram {
    let words = ["/bin/sh", "-c", "cd \(place); " + script]
    let (nsenter, arguments) = try inside(words)
    return try RunningProgram(
      SpawnRequest(executable: nsenter, arguments: arguments, environment: Self.environment)
    )
  }

  /// Runs `authctl` where the mounted files are seen.
  func authctl(_ words: String...) throws -> RunningProgram.Report {
    try run([Machine.authctl] + device.words + words)
  }

  /// Runs the program that uses mounted files.
  func script(_ words: [String]) throws -> RunningProgram.Report {
    try run(["/usr/bin/env", "python3", Self.script] + words)
  }

  /// Locks the device and lets the time pass for which keys stay, and waits until `name` cannot be read.
  func lockForGood(losing name: String) throws {
    for words in [["device", "lock"], ["device", "clock", "advance", "11s"]] {
      _ = try device.authctl(words)
    }
    let deadline = Deadline.after(.seconds(60))
    while try shell("cat \(name)").status == 0, !deadline.hasPassed {}
  }

  func unlock() throws {
    let run = try device.authctl(["device", "unlock", "--passcode-stdin"], input: "2468\n")
    guard run.status == 0 else { throw NotMounted(errors: run.errors) }
  }
}
