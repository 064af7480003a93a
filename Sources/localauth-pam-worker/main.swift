import Glibc
import LocalAuthCore
import LocalAuthPAM
import LocalAuthWire

let usage = """
  usage: localauth-pam-worker [--service NAME] [--confdir DIR] [--daemon UID]
         localauth-pam-worker --listen [--socket PATH] [--daemon USER] [--service NAME]
             [--confdir DIR]

  Judges passwords through PAM for localauthd, which calls it on the listening socket that is
  descriptor 3.

    --service NAME   the only PAM service that is asked (localauth)
    --confdir DIR    where that service is described, instead of the system's directories
    --daemon UID     the only account whose calls are read
    --listen         start such a worker for each connection of the daemon's to descriptor 3
    --socket PATH    listen there instead, and make the directory and the socket
    --daemon USER    the account or uid that may connect (localauth)
    --version        print the version

  localauth-pam-worker(8) tells more.

  """

func run(_ arguments: [String]) -> Int32 {
  let (said, words) = (ToolWords(of: "localauth-pam-worker", usage: usage), arguments.dropFirst())
  if let answer = said.answer(to: words) {
    print(answer, terminator: "")
    return 0
  }
  guard let task = WorkerTask(arguments) else {
    return fail(said.mistake(in: words), EX_USAGE)
  }
  var daemon: UInt32?
  switch task {
  case .serve(_, let uid): daemon = uid
  case .listen(_, let name, _):
    // Must precede hardening, which clears the environment that the name service may depend on.
    daemon = userID(name)
    guard daemon != nil else {
      return fail("localauth-pam-worker: there is no account \(name)\n", EX_NOUSER)
    }
  }
  if task.hasSocket, !isSocket(3) {
    return fail(
      "localauth-pam-worker: descriptor 3 is no socket. localauthd or a service manager "
        + "starts this program and hands it one; by hand, name one with --listen --socket.\n",
      EX_USAGE
    )
  }
  guard WorkerProcess.harden() else {
    return fail("localauth-pam-worker: the kernel refuses to protect the process\n", EX_OSERR)
  }
  switch task {
  case .serve(let service, _): return serve(service, for: daemon)
  case .listen(let service, _, let path): return listen(service, for: daemon ?? .max, at: path)
  }
}

func serve(_ service: PAMService, for daemon: UInt32?) -> Int32 {
  do throws(WorkerFailure) {
    var worker = try PAMWorker(listener: 3, from: daemon, judgingBy: service)
    return worker.run().exitStatus
  } catch {
    return error.exitStatus
  }
}

func listen(_ service: PAMService, for daemon: UInt32, at path: String?) -> Int32 {
  var socket: Int32 = 3
  if let path {
    do throws(WorkerSocketError) {
      socket = try WorkerSocket.make(at: path, for: daemon)
    } catch {
      return fail("localauth-pam-worker: \(error)\n", EX_IOERR)
    }
  }
  var listener = WorkerListener(
    descriptor: socket,
    daemon: daemon,
    program: "/proc/self/exe",
    arguments: WorkerTask.arguments(service, daemon: daemon)
  )
  return listener.run().exitStatus
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
