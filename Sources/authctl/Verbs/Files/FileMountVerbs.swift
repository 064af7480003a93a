import Glibc
import LocalAuthClient
import LocalAuthCore
import LocalAuthUnix
import LocalAuthWire

/// `authctl file mount|unmount`.
enum FileMountVerbs {
  static let directory = Argument<String>(
    "DIRECTORY",
    source: .directories,
    help: "the directory with protected files"
  )
  static let mountpoint = Argument<String>(
    "MOUNTPOINT",
    source: .directories,
    help: "the empty directory that shows their content"
  )

  static let mount = Command(
    "mount",
    abstract: "Show the protected files in a directory to every program.",
    discussion: """
      Programs read and write the files at MOUNTPOINT as any others, and what they make there is
      protected as its directory says, or else complete. When the device is locked, files lose their
      keys as their class says, also those that are open or mapped into memory. Names, sizes and times are
      no secret. It needs libfuse3, and ends with file unmount.

        authctl --device demo file mount vault open
      """,
    arguments: [directory.declaration, mountpoint.declaration],
    isAboutDevice: true
  ) { (context) throws(Failure) in try mount(context) }

  static let unmount = Command(
    "unmount",
    abstract: "End what file mount has begun.",
    discussion: """
      While programs have files open there, nothing is done.

        authctl file unmount open
      """,
    arguments: [mountpoint.declaration],
    isAboutDevice: true
  ) { (context) throws(Failure) in try unmount(context) }

  private static let patience = Duration.seconds(30)

  private static func mount(_ context: VerbContext) throws(Failure) -> Report {
    let (name, place) = (context.arguments[directory], context.arguments[mountpoint])
    try checkPlaces(name, place)
    let words = try words(context, name, place)
    let program = try program(context)
    let device = try keyedDevice(context)
    let answer: UInt8?
    let complaint: String
    do throws(SystemError) {
      let errors = try ScratchFile("")
      answer = try program.start(
        words,
        environment: environment(context),
        errors: errors.descriptor,
        within: patience
      )
      complaint = errors.firstLine()
    } catch { throw Failure(.internalError, "\(error).") }
    guard answer == 0 else { throw failure(answer, complaint) }
    let told = ["\(place) shows the files in \(name)."] + remarks(on: name, device)
    return Report(told.joined(separator: " ")) {
      $0.member("directory", name)
      $0.member("mountpoint", place)
    }
  }

  /// Fails where both are one directory, one is none, or the place shows files already; the program checks the rest.
  private static func checkPlaces(_ name: String, _ place: String) throws(Failure) {
    let (source, target) = (try directory(name), try directory(place))
    guard source != target else {
      throw Failure(.usage, "\(name) cannot be shown in its own place: name another directory.")
    }
    let mounts = try MountTable.seen()
    if let mount = mounts.mount(at: target) {
      throw Failure(.busy, "\(place) shows the files in \(mount.directory) already.")
    }
    if let mount = mounts.mount(showing: source) {
      throw Failure(.busy, "\(name) shows the files in \(mount.directory): name that directory.")
    }
  }

  /// The path of a directory that is there, without links.
  private static func directory(_ path: String) throws(Failure) -> String {
    guard let real = realPath(path) else {
      guard errno == ENOENT else { throw Failure(.usage, errno: errno, "\(path) cannot be opened") }
      throw Failure(.usage, "\(path) does not exist.")
    }
    var status = stat()
    // SAFETY: the string and the structure are valid for the call.
    let isThere = unsafe stat(real, &status) == 0
    guard isThere || errno != ENOTCONN else {
      throw Failure(
        .busy,
        "The file system that showed files at \(path) was killed: 'file unmount' makes it a directory again."
      )
    }
    guard isThere, status.st_mode & S_IFMT == S_IFDIR else {
      throw Failure(.usage, "\(path) is no directory.")
    }
    return real
  }

  /// The device; fails if it has no keys: every file would fail there.
  private static func keyedDevice(
    _ context: VerbContext
  ) throws(Failure) -> DeviceMessages.Device {
    let device = try context.call(Methods.status, DeviceVerbs.call(try context.device())).device
    guard device.hasKeybag else {
      throw Failure(.passcodeNotSet, OutcomeCode.passcodeNotSet.sentence)
    }
    guard device.keychain != "damaged" else {
      throw Failure(
        .internalError,
        "The keybag of \(device.name) is damaged: put a backup of the state back."
      )
    }
    return device
  }

  /// The words that have the program use the daemon and the device that this one would.
  private static func words(
    _ context: VerbContext,
    _ name: String,
    _ place: String
  ) throws(Failure) -> [String] {
    let address = try context.address()
    var words = ["--socket", address.paths.socket]
    words += address.startsDaemon ? ["--home", address.paths.home] : ["--system"]
    if let user = address.user { words += ["--user", "\(user)"] }
    if let device = try context.device().name { words += ["--device", device] }
    let paths = [try context.absolute(name), try context.absolute(place)].compactMap { $0 }
    return words + ["--"] + paths
  }

  private static func program(_ context: VerbContext) throws(Failure) -> CompanionProgram {
    do throws(LaunchError) {
      if let found = try CompanionProgram("localauth-fuse", in: context.environment) {
        return found
      }
    } catch { throw Failure(.badConfiguration, "\(error).") }
    throw Failure(.unreachable, "Nothing is mounted: localauth-fuse is not installed.")
  }

  /// What starting a daemon takes, and finding `fusermount3`.
  private static func environment(_ context: VerbContext) -> [String] {
    let names = [
      "HOME", "XDG_RUNTIME_DIR", "XDG_STATE_HOME", "XDG_CONFIG_HOME", "LOCALAUTH_DAEMON",
    ]
    return ["PATH=/usr/sbin:/usr/bin:/sbin:/bin"]
      + names.compactMap { name in context.environment[name].map { "\(name)=\($0)" } }
  }

  /// The failure that the program has told by its exit status and a line.
  private static func failure(_ status: UInt8?, _ line: String) -> Failure {
    let told: [OutcomeCode] = [
      .usage, .busy, .itemLocked, .itemNotFound, .unreachable, .notPermitted, .badConfiguration,
    ]
    let outcome = told.first { $0.exit == status.map(Int32.init) } ?? .internalError
    let prefix = "localauth-fuse: "
    let text = line.hasPrefix(prefix) ? String(line.dropFirst(prefix.count)) : line
    return Failure(outcome, text.isEmpty ? "localauth-fuse ended without a word." : text)
  }
}
