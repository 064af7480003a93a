import Glibc
import LocalAuthPAM

let usage = """
  usage: localauth-pam-worker [DESCRIPTOR]
         localauth-pam-worker --listen [--socket PATH] [--daemon USER] [--service NAME]
             [--confdir DIR]

  Holds conversations with PAM for localauthd, on the connected socket DESCRIPTOR (3).

    --listen         descriptor 3 listens: start a worker for each connection of the daemon's
    --socket PATH    listen there instead, and make the directory and the socket
    --daemon USER    the account or uid that may connect (localauth)
    --service NAME   the only PAM service that it may ask (localauth)
    --confdir DIR    where that service is described, instead of the system's directories

  localauth-pam-worker(8) tells more.

  """

func run(_ arguments: [String]) -> Int32 {
  if arguments.dropFirst().first == "--help" {
    print(usage, terminator: "")
    return 0
  }
  guard let task = WorkerTask(arguments) else { return fail(usage, EX_USAGE) }
  var daemon: UInt32?
  if case .listen(let name, _, _) = task {
    // Must precede hardening, which clears the environment that the name service may depend on.
    daemon = userID(name)
    guard daemon != nil else {
      return fail("localauth-pam-worker: there is no account \(name)\n", EX_NOUSER)
    }
  }
  if let descriptor = task.descriptor, !isSocket(descriptor) {
    return fail(
      "localauth-pam-worker: descriptor \(descriptor) is no socket. localauthd or a service manager "
        + "starts this program and hands it one; by hand, name one with --listen --socket.\n",
      EX_USAGE
    )
  }
  guard WorkerProcess.harden() else {
    return fail("localauth-pam-worker: the kernel refuses to protect the process\n", EX_OSERR)
  }
  switch task {
  case .connected(let descriptor, let scope):
    var worker = PAMWorker(descriptor: descriptor, within: scope)
    return worker.run().exitStatus
  case .listen(_, let path, let scope):
    var socket: Int32 = 3
    if let path {
      do throws(WorkerSocketError) {
        socket = try WorkerSocket.make(at: path, for: daemon ?? .max)
      } catch {
        return fail("localauth-pam-worker: \(error)\n", EX_IOERR)
      }
    }
    var listener = WorkerListener(
      descriptor: socket,
      daemon: daemon ?? .max,
      program: "/proc/self/exe",
      arguments: WorkerTask.connected(3, scope).arguments
    )
    return listener.run().exitStatus
  }
}

func isSocket(_ descriptor: Int32) -> Bool {
  var facts = stat()
  // SAFETY: the pointer is valid for the call.
  return unsafe fstat(descriptor, &facts) == 0 && facts.st_mode & S_IFMT == S_IFSOCK
}

/// The uid of the account `name`, or the uid that `name` spells.
func userID(_ name: String) -> UInt32? {
  if let uid = UInt32(name), uid != .max { return uid }
  // SAFETY: the entry is read before another call can overwrite it; there is only one thread.
  guard let entry = unsafe getpwnam(name) else { return nil }
  return unsafe entry.pointee.pw_uid
}

func fail(_ line: String, _ status: Int32) -> Int32 {
  var line = line
  // SAFETY: the bytes are the string's own, valid inside the closure.
  line.withUTF8 { bytes in _ = unsafe write(STDERR_FILENO, bytes.baseAddress, bytes.count) }
  return status
}

exit(run(CommandLine.arguments))
