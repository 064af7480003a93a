import LocalAuthUnix
import Testing

/// The module under valgrind: nothing is read that is not its own, nothing is left behind.
@Suite(
  .enabled(
    if: PAMModule.canRun && Files.exists("/usr/bin/valgrind"),
    "needs valgrind, root, useradd, make, pamtester and a reachable build"
  )
)
struct PAMMemoryTests {
  /// A status that pamtester has for nothing.
  private static let found: Int32 = 99
  private static let valgrind = [
    "/usr/bin/valgrind", "--quiet", "--error-exitcode=\(found)", "--leak-check=full",
    // What libpam and pamtester keep to their end is reachable, and theirs.
    "--show-leak-kinds=definite,indirect,possible",
    "--errors-for-leak-kinds=definite,indirect,possible",
  ]

  private let words: WordsModule
  private let rig: PAMRig

  init() throws {
    words = try WordsModule()
    rig = try PAMRig()
  }

  private func run(
    _ stack: String,
    _ operations: String = "authenticate",
    typing lines: String = "",
    succeeds: Bool = true
  ) throws {
    let report = try rig.pamtester(
      stack: stack,
      operations,
      typing: lines,
      under: Self.valgrind
    )
    #expect(report.status != Self.found, "\(report.errors)")
    #expect((report.status == 0) == succeeds, "\(report.output)\(report.errors)")
    #expect(!report.errors.contains("definitely lost"), "\(report.errors)")
  }

  private func stack(_ policy: String, _ more: String = "") -> String {
    PAMModule.stack(with: "policy=\(policy) \(PAMRig.simulated) \(more)")
  }

  @Test func findsWhatIsWrong() throws {
    // Or the other tests would say nothing.
    let scratch = Scratch()
    let source =
      "#include <stdlib.h>\nint main(void) { char *volatile p = malloc(9); p = 0; return p != 0; }"
    try Machine.compile(source, to: scratch.file("leak"))
    let report = try RunningProgram.run(
      Self.valgrind[0],
      Self.valgrind.dropFirst() + [scratch.file("leak")]
    )
    #expect(report.status == Self.found)
  }

  @Test func finger() throws {
    try rig.script("match")
    try run(stack("biometrics"))
  }

  @Test func missesAndThenThePasscode() throws {
    try rig.script("miss,miss,miss")
    try run(stack("device-owner"), typing: "1234\n")
  }

  @Test func fingerOrPasscode() throws {
    try rig.script("miss")
    try run(stack("device-owner-parallel"), typing: "\n0000\n1234\n")
  }

  @Test func wrongPasscodes() throws {
    try run(stack("passcode"), typing: String(repeating: "0000\n", count: 20), succeeds: false)
  }

  @Test func nobodyAtTheKeyboard() throws {
    try run(stack("passcode"), succeeds: false)
  }

  @Test func sessionIsOpenedAndClosed() throws {
    try run(
      stack("passcode"),
      "authenticate open_session close_session",
      typing: "1234\n"
    )
  }

  @Test func passwordIsKeptAndChanged() throws {
    try run(
      """
      auth required \(words.path) new=1234
      auth optional MODULE only_stash
      session required MODULE device=sim
      password required \(words.path) old=1234 new=2468
      password required MODULE device=sim
      """,
      "authenticate open_session chauthtok"
    )
  }

  @Test func noService() throws {
    try rig.service.daemon.end()
    try run(stack("passcode"), typing: "1234\n", succeeds: false)
    Files.remove(rig.service.socket)
    try run(stack("passcode"), typing: "1234\n", succeeds: false)
    // Nothing was opened, so there is nothing to lock.
    try run(stack("passcode"), "close_session")
  }

  @Test func wrongArguments() throws {
    try run(stack("passcode", "debug"), succeeds: false)
    try run(stack("nobody"), succeeds: false)
  }
}
