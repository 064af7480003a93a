import Glibc
import LocalAuthCore
import LocalAuthUnix

let usage = """
  usage: localauth-sync [--daemon USER]
         localauth-sync hub install|upgrade|status|verify|found [CONNECTION]
         localauth-sync hub remove-circle NUMBER [CONNECTION]

  Speaks to the hub of synchronized items for localauthd, which is at the other end of the connected
  socket that is descriptor 3. It has no keys.

    --daemon USER   the only account whose requests are read (its own)
    --version       print the version
    hub …           what authctl hub runs, for who administers a hub

  localauth-sync(8) tells more.

  """

func run(_ arguments: [String]) -> Int32 {
  let (said, words) = (ToolWords(of: "localauth-sync", usage: usage), arguments.dropFirst())
  if let answer = said.answer(to: words) {
    print(answer, terminator: "")
    return EX_OK
  }
  guard let task = SyncTask(arguments) else {
    return fail(said.mistake(in: words), EX_USAGE)
  }
  switch task {
  case .serve(let daemon): return serve(daemon)
  case .administer(let act, let connection): return Administration.run(act, connection)
  }
}

func serve(_ daemon: UInt32) -> Int32 {
  guard let peer = try? PeerIdentity(of: 3) else {
    return fail(
      "localauth-sync: descriptor 3 is no connected socket. localauthd or a socket unit starts this "
        + "program and hands it one.\n",
      EX_USAGE
    )
  }
  let socket = FileDescriptor(owning: 3)
  guard peer.userID == daemon else {
    return fail("localauth-sync: uid \(peer.userID) is not the daemon's\n", EX_NOPERM)
  }
  // libpq would take options, files and a home directory from there.
  guard clearenv() == 0 else { return fail("localauth-sync: no memory\n", EX_OSERR) }
  do {
    try ProcessHardening.apply()
    // As the unit has it: a hub that talks without end is to fill no machine.
    try ProcessHardening.limitMemory(to: 256 << 20)
    var worker = SyncWorker(DaemonChannel(consume socket))
    try worker.run()
    return EX_OK
  } catch DaemonChannel.Failure.ended {
    return EX_OK
  } catch DaemonChannel.Failure.malformed {
    return fail("localauth-sync: the daemon sent what is no request\n", EX_PROTOCOL)
  } catch {
    return fail("localauth-sync: \(error)\n", EX_OSERR)
  }
}

func fail(_ line: String, _ status: Int32) -> Int32 {
  var line = line
  // SAFETY: the bytes are the string's own, valid inside the closure.
  line.withUTF8 { bytes in _ = unsafe write(STDERR_FILENO, bytes.baseAddress, bytes.count) }
  return status
}

exit(run(CommandLine.arguments))
