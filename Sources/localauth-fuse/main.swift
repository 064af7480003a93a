import CLocalAuthFuse
import CLocalAuthLinux
import Glibc
import LocalAuth
import LocalAuthCore
import LocalAuthFiles
import LocalAuthUnix
import Synchronization

let usage = """
  usage: localauth-fuse [--home DIR] [--socket PATH] [--system [--user UID]] [--device NAME]
                        [--ready-fd N] DIRECTORY MOUNTPOINT
         localauth-fuse --version

  Shows the content of the protected files in DIRECTORY at MOUNTPOINT, until it is unmounted.
  authctl file mount starts it. localauth-fuse(8) tells more.

  """

/// Mounts and serves until the file system is unmounted or a signal comes.
func serve(_ options: MountOptions) throws(MountFailure) {
  if let reason = unsafe la_fuse_load() {
    throw MountFailure(.unreachable, "Nothing is mounted: \(unsafe String(cString: reason)).")
  }
  try checkDevice()
  let place = try MountPlace(options.directory, at: options.mountpoint)
  let revocation = Revocation()
  let files = try protectedFiles(options, revocation)
  do {
    let (source, mountpoint) = (place.directoryPath, place.mountpoint)
    let held = FileDescriptor(owning: fcntl(place.directory.rawValue, F_DUPFD_CLOEXEC, 3))
    let tree = try FileTree(held, files)
    let signals = try FileDescriptor(owning: stopSignals())
    let session = try MountSession(tree, from: source, at: mountpoint)
    tree.session.withLock { $0 = session }
    revocation.begin(tree)
    try tree.lingering.start(session)
    try session.start()
    tell(0, options)
    waitForEnd(of: session, signals)
    // What programs have changed in mapped pages reaches the files while the kernel still gets answers.
    for node in tree.nodes.all { session.forgetPages(of: node.number) }
    session.unmount()
    tree.sealAll()
  } catch let failure as MountSession.Failure {
    throw MountFailure(.unreachable, "Nothing is mounted: \(failure.reason).")
  } catch {
    throw MountFailure(.internalError, "Nothing is mounted: \(error).")
  }
}

/// Throws unless the kernel offers file systems to this program.
func checkDevice() throws(MountFailure) {
  // SAFETY: the string is a C string for the duration of the call.
  let device = unsafe open("/dev/fuse", O_RDWR | O_CLOEXEC)
  guard device >= 0 else {
    let reason = SystemError("open", code: errno).reason
    throw MountFailure(.unreachable, "Nothing is mounted: /dev/fuse cannot be opened: \(reason).")
  }
  close(device)
}

func protectedFiles(
  _ options: MountOptions,
  _ revocation: Revocation
) throws(MountFailure) -> ProtectedFiles {
  do {
    let device = Device(options.device, servedBy: try options.address())
    return try ProtectedFiles(on: device) { revocation.heard($0) }
  } catch let failure as FileFailure {
    throw MountFailure(failure.outcome, failure.message(about: options.directory))
  } catch {
    throw MountFailure(.badConfiguration, "\(error).")
  }
}

/// A descriptor that tells of the signals that end this program; no thread may be there yet that has them.
func stopSignals() throws(SystemError) -> Int32 {
  let numbers = [SIGTERM, SIGINT, SIGHUP]
  // SAFETY: the shim reads that many numbers during the call.
  let created = unsafe la_signals_create(numbers, Int32(numbers.count))
  guard created >= 0 else { throw SystemError("signalfd", code: -created) }
  return created
}

/// Tells whoever waits for it that the file system is mounted, or the exit status of a failure.
func tell(_ status: Int32, _ options: MountOptions) {
  if status == 0 { try? ServiceNotifier()?.notify(.ready) }
  guard let descriptor = options.readiness else { return }
  var byte = UInt8(truncatingIfNeeded: status)
  // SAFETY: the byte lives for the call.
  _ = unsafe write(descriptor, &byte, 1)
  close(descriptor)
}

func waitForEnd(of session: MountSession, _ signals: borrowing FileDescriptor) {
  var entries = [
    pollfd(fd: session.ended.descriptor, events: Int16(POLLIN), revents: 0),
    pollfd(fd: signals.rawValue, events: Int16(POLLIN), revents: 0),
  ]
  // SAFETY: the array has two entries.
  while unsafe poll(&entries, 2, -1) < 0, errno == EINTR {}
}

func fail(_ line: String, _ status: Int32) -> Int32 {
  var line = line
  // SAFETY: the bytes are the string's own, valid inside the closure.
  line.withUTF8 { bytes in _ = unsafe write(STDERR_FILENO, bytes.baseAddress, bytes.count) }
  return status
}

func run(_ words: [String]) -> Int32 {
  let said = ToolWords(of: "localauth-fuse", usage: usage)
  if let answer = said.answer(to: words) {
    print(answer, terminator: "")
    return 0
  }
  guard let options = MountOptions(words) else { return fail(said.mistake(in: words), EX_USAGE) }
  do {
    try ProcessHardening.apply()
    // Programs say what mode their files have.
    umask(0)
    try serve(options)
    return 0
  } catch let failure as MountFailure {
    let status = fail("localauth-fuse: \(failure.sentence)\n", failure.outcome.exit)
    tell(status, options)
    return status
  } catch {
    return fail("localauth-fuse: \(error)\n", EX_OSERR)
  }
}

exit(run(Array(CommandLine.arguments.dropFirst())))
