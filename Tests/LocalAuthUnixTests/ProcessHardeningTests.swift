import Glibc
import LocalAuthUnix
import Testing

@Suite struct ProcessHardeningTests {
  // In a process of its own: what is given up cannot be taken back.
  @Test func hardenedProcessKeepsItsMemoryToItself() async {
    await #expect(processExitsWith: .exitCode(0)) {
      try ProcessHardening.apply()
      guard umask(0) == 0o077 else { exit(1) }
      var limit = rlimit()
      // SAFETY: the pointer is valid for the calls.
      _ = unsafe getrlimit(Int32(RLIMIT_CORE.rawValue), &limit)
      guard limit.rlim_cur == 0, limit.rlim_max == 0 else { exit(2) }
      _ = unsafe getrlimit(Int32(RLIMIT_NOFILE.rawValue), &limit)
      guard limit.rlim_cur == limit.rlim_max else { exit(3) }
      guard isDumpable() == 0 else { exit(4) }
      exit(0)
    }
  }

  @Test func writingToAVanishedPeerIsNoDeadlySignal() async {
    await #expect(processExitsWith: .exitCode(0)) {
      try ProcessHardening.apply()
      let pair = try SocketPair()
      let ours = pair.takeOurs()
      // SAFETY: one byte of a string that is valid for the call.
      guard unsafe write(ours.rawValue, "x", 1) == -1, errno == EPIPE else { exit(1) }
      exit(0)
    }
  }
}

/// What PR_GET_DUMPABLE says; Swift does not see variadic C functions, so it is looked up.
private func isDumpable() -> Int32 {
  let getDumpable: Int32 = 3
  guard let symbol = unsafe dlsym(nil, "prctl") else { return -1 }
  // SAFETY: every argument of prctl is passed as an integer register, variadic or not.
  let prctl = unsafe unsafeBitCast(
    symbol,
    to: (@convention(c) (Int32, UInt, UInt, UInt, UInt) -> Int32).self
  )
  return prctl(getDumpable, 0, 0, 0, 0)
}
