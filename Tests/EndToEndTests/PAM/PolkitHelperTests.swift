import Glibc
import LocalAuthUnix
import Testing

/// polkit's helper as a dialog with a window runs it: lines from it and to it, and nothing that waits for a key.
@Suite(
  .enabled(
    if: PolkitWorld.canRun && Files.exists("/usr/bin/python3"),
    "needs root, polkitd, dbus-daemon, make, unshare, pamtester and python3"
  )
)
struct PolkitHelperTests {
  private let world: PolkitWorld
  private let scratch = Scratch()

  init() throws {
    world = try PolkitWorld(try PAMRig())
    Files.setMode(0o755, of: scratch.path)
  }

  /// Both kinds of helper.
  enum Kind: CaseIterable {
    /// Debian 12's own, which whoever asks starts.
    case setuid
    /// One of ours in the place of that of polkit 127, which is started for a connection.
    case activated
  }

  /// A dialog whose lines are on our terminal, and what runs the helper for it.
  private final class Dialog {
    let terminal: TerminalProgram
    let helper: RunningProgram?
    private let listener: LocalSocket?

    init(
      _ terminal: TerminalProgram,
      _ helper: RunningProgram? = nil,
      _ listener: LocalSocket? = nil
    ) {
      self.terminal = terminal
      self.helper = helper
      self.listener = listener
    }
  }

  /// A dialog in a session with this record.
  private func dialog(_ kind: Kind, _ record: String = TestLogins.seat) throws -> Dialog {
    let program = Repository.path + "/Tests/EndToEndTests/polkit-dialog.py"
    try Files.write(try Files.read(program), to: scratch.file("dialog.py"), mode: 0o644)
    let words = ["/usr/bin/python3", scratch.file("dialog.py")]
    if kind == .setuid {
      let run = words + ["run", PolkitWorld.helper, world.rig.account.name]
      return Dialog(try TerminalProgram(world.asUser(record, run)))
    }
    let listener = try LocalSocket(scratch.file("socket"), SOCK_STREAM)
    Files.setMode(0o666, of: scratch.file("socket"))
    listener.listen()
    let connect = words + ["connect", scratch.file("socket"), world.rig.account.name]
    let terminal = try TerminalProgram(world.asUser(record, connect))
    try #require(try Poll.wait(for: listener.descriptor, until: .after(.seconds(60))))
    let connection = FileDescriptor(owning: accept(listener.descriptor, nil, nil))
    return Dialog(terminal, try activated(connection), listener)
  }

  /// The helper of a connection, as root without a login.
  private func activated(_ connection: borrowing FileDescriptor) throws -> RunningProgram {
    let program = scratch.file("polkit-agent-helper-1")
    try Machine.compile(Self.standIn, to: program, ["-lpam"])
    let start = "echo 4294967295 > /proc/self/loginuid; exec \(program)"
    let words = world.inside(["/bin/sh", "-ec", start])
    return try RunningProgram(
      SpawnRequest(
        executable: words[0],
        arguments: Array(words.dropFirst()),
        environment: ["PATH=/usr/bin:/bin"],
        descriptors: [
          .duplicate(of: connection.rawValue), .duplicate(of: connection.rawValue), .null,
        ]
      )
    )
  }

  private static let question = "PAM_PROMPT_ECHO_OFF Touch the sensor, or: Passcode:"

  @Test(arguments: Kind.allCases) func fingerEndsTheQuestion(_ kind: Kind) throws {
    let dialog = try dialog(kind)
    try dialog.terminal.wait(for: Self.question)
    try world.touch()
    // Nobody presses a key. polkitd knows nothing of our dialog, so the end is all that there is.
    try dialog.terminal.wait(for: "END")
    #expect(try world.evaluations() == [["device-owner-parallel", "success", "fingerprint"]])
  }

  @Test(arguments: Kind.allCases) func passcodeIsTakenWhileTheSensorWaits(_ kind: Kind) throws {
    let dialog = try dialog(kind)
    try dialog.terminal.wait(for: Self.question)
    dialog.terminal.type("1234\r")
    try dialog.terminal.wait(for: "END")
    #expect(try world.evaluations() == [["device-owner-parallel", "success", "passcode"]])
  }

  /// The question stays where it is, and takes an answer.
  @Test(arguments: Kind.allCases) func missAsksNothingAnew(_ kind: Kind) throws {
    let dialog = try dialog(kind)
    try dialog.terminal.wait(for: Self.question)
    try world.touch("left-thumb")
    try dialog.terminal.wait(for: "That finger does not match.")
    dialog.terminal.type("1234\r")
    try dialog.terminal.wait(for: "END")
    let questions = dialog.terminal.screen.ranges(of: "PAM_PROMPT").count
    #expect(questions == 1, "\(dialog.terminal.screen)")
    #expect(try world.evaluations().map { $0[1] } == ["success"])
  }

  @Test(arguments: Kind.allCases) func lockedFingerIsNoLongerOffered(_ kind: Kind) throws {
    let dialog = try dialog(kind)
    try dialog.terminal.wait(for: Self.question)
    for _ in 0..<3 {
      try world.touch("left-thumb")
      try dialog.terminal.wait(for: "That finger does not match")
    }
    try dialog.terminal.wait(for: "PAM_PROMPT_ECHO_OFF Passcode:")
    try world.expectOff()
    dialog.terminal.type("1234\r")
    try dialog.terminal.wait(for: "END")
    #expect(try world.evaluations() == [["device-owner-parallel", "success", "passcode"]])
  }

  @Test(arguments: Kind.allCases) func closedDialogIsACancel(_ kind: Kind) throws {
    let dialog = try dialog(kind)
    try dialog.terminal.wait(for: Self.question)
    // At the start of a line this is the end of what is typed.
    dialog.terminal.type("\u{4}")
    _ = try dialog.terminal.waitForExit()
    try world.waitForCancel()
    #expect(try world.state().wrongPasscodes == 0)
  }

  /// While a finger alone is asked for there is no question whose end could be seen.
  @Test(arguments: Kind.allCases) func closedDialogTurnsTheSensorOff(_ kind: Kind) throws {
    let stack = try Files.text(Repository.path + "/pam/stacks/polkit-1")
      .replacing("policy=device-owner-parallel", with: "policy=biometrics " + PAMRig.simulated)
    try world.stacks.describe("polkit-1", stack)
    let dialog = try dialog(kind)
    try dialog.terminal.wait(for: "PAM_TEXT_INFO Touch the fingerprint sensor.")
    dialog.terminal.type("\u{4}")
    _ = try dialog.terminal.waitForExit()
    try world.waitForCancel()
    try world.expectOff()
  }

  @Test(arguments: Kind.allCases) func sshGetsNoFinger(_ kind: Kind) throws {
    let dialog = try dialog(kind, TestLogins.remote)
    try dialog.terminal.wait(for: "PAM_PROMPT_ECHO_OFF Passcode:")
    try world.expectOff()
    dialog.terminal.type("1234\r")
    try dialog.terminal.wait(for: "END")
    #expect(try world.evaluations() == [["passcode", "success", "passcode"]])
  }

  /// A service that was reached and ended is a refusal: no other module takes guesses in its place.
  @Test(arguments: Kind.allCases) func endOfTheServiceEndsTheQuestion(_ kind: Kind) throws {
    let dialog = try dialog(kind)
    try dialog.terminal.wait(for: Self.question)
    try world.rig.service.daemon.end()
    try dialog.terminal.wait(for: "PAM_ERROR_MSG The authentication service does not answer.")
    try dialog.terminal.wait(for: "END")
    let screen = dialog.terminal.screen
    #expect(!screen.contains("SUCCESS") && !screen.contains("Password:"), "\(screen)")
  }

  /// Reads the user, and asks PAM as polkit's helper does: a line for each message, a line for each answer.
  private static let standIn = #"""
    #include <security/pam_appl.h>
    #include <stdio.h>
    #include <stdlib.h>
    #include <string.h>

    static int converse(int count, const struct pam_message **messages, struct pam_response **answers, void *data) {
      static const char *styles[] = {"", "PAM_PROMPT_ECHO_OFF", "PAM_PROMPT_ECHO_ON", "PAM_ERROR_MSG", "PAM_TEXT_INFO"};
      char line[PAM_MAX_RESP_SIZE];
      (void)data;
      if (count != 1 || (*answers = calloc(1, sizeof **answers)) == NULL) return PAM_CONV_ERR;
      printf("%s %s\n", styles[messages[0]->msg_style], messages[0]->msg);
      fflush(stdout);
      if (messages[0]->msg_style > PAM_PROMPT_ECHO_ON) return PAM_SUCCESS;
      if (fgets(line, sizeof line, stdin) == NULL) {
        free(*answers);
        *answers = NULL;
        return PAM_CONV_ERR;
      }
      line[strcspn(line, "\n")] = '\0';
      (*answers)->resp = strdup(line);
      return PAM_SUCCESS;
    }

    int main(void) {
      char user[256], cookie[256];
      struct pam_conv application = {converse, NULL};
      pam_handle_t *pam = NULL;
      if (fgets(user, sizeof user, stdin) == NULL || fgets(cookie, sizeof cookie, stdin) == NULL) return 1;
      user[strcspn(user, "\n")] = '\0';
      if (pam_start("polkit-1", user, &application, &pam) != PAM_SUCCESS) return 1;
      pam_set_item(pam, PAM_RUSER, user);
      int status = pam_authenticate(pam, 0);
      pam_end(pam, status);
      puts(status == PAM_SUCCESS ? "SUCCESS" : "FAILURE");
      return 0;
    }
    """#
}
