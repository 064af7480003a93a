import Glibc
import LocalAuthPAM

/// Serves PAM conversations on the socket that the daemon left as descriptor 3, or on the descriptor
/// given as the only argument.
func run(_ arguments: [String]) -> Int32 {
  guard arguments.count <= 2, let descriptor = Int32(arguments.dropFirst().first ?? "3"),
    descriptor > 2
  else {
    return fail("usage: localauth-pam-worker [DESCRIPTOR]\n", EX_USAGE)
  }
  guard WorkerProcess.harden() else {
    return fail("localauth-pam-worker: the kernel refuses to protect the process\n", EX_OSERR)
  }
  return PAMWorker.serve(descriptor).exitStatus
}

func fail(_ line: StaticString, _ status: Int32) -> Int32 {
  // SAFETY: a static string's bytes are constant and as many as it says.
  _ = unsafe write(STDERR_FILENO, line.utf8Start, line.utf8CodeUnitCount)
  return status
}

exit(run(CommandLine.arguments))
