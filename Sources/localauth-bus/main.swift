import Glibc
import LocalAuthCore
import LocalAuthUnix

let usage = """
  usage: localauth-bus [--reader NAME] [--exclusive] [--simulated] [--bus ADDRESS]

  Judges fingers for localauthd by the readers of fprintd, as an authenticator that a manifest names.
  It is started by localauthd or a socket unit, and gets a listening socket as descriptor 3.

    --reader NAME   use this reader only
    --exclusive     the rules of this machine let nobody else use the readers
    --simulated     use virtual readers, and no others
    --bus ADDRESS   the bus to use, instead of the system's
    --version       print the version

  localauth-bus(8) tells more.

  """

func run(_ arguments: [String]) -> Int32 {
  let (said, words) = (ToolWords(of: "localauth-bus", usage: usage), arguments.dropFirst())
  if let answer = said.answer(to: words) {
    print(answer, terminator: "")
    return 0
  }
  guard let options = WorkerOptions(arguments) else {
    return fail(said.mistake(in: words), EX_USAGE)
  }
  do {
    var sockets = try SocketActivation()
    guard let socket = sockets.takeOnly() else {
      return fail(
        "localauth-bus: descriptor 3 is no listening socket. localauthd or a socket unit starts this "
          + "program and hands it one.\n",
        EX_USAGE
      )
    }
    try ProcessHardening.apply()
    let loop = try EventLoop()
    let worker = BusWorker(options, on: loop)
    let server = ProgramServer(try Listener(adopting: socket), worker.handlers)
    try server.start(on: loop)
    worker.connect()
    try loop.run()
    return EX_OK
  } catch {
    return fail("localauth-bus: \(error)\n", EX_OSERR)
  }
}

func fail(_ line: String, _ status: Int32) -> Int32 {
  var line = line
  // SAFETY: the bytes are the string's own, valid inside the closure.
  line.withUTF8 { bytes in _ = unsafe write(STDERR_FILENO, bytes.baseAddress, bytes.count) }
  return status
}

exit(run(CommandLine.arguments))
