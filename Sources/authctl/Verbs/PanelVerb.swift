import Glibc
import LocalAuthClient
import LocalAuthCore
import LocalAuthTerminal
import LocalAuthWire

/// `authctl panel`.
enum PanelVerb {
  static let command = Command(
    "panel",
    abstract: "Show a device on a screen, and drive a simulated one by keys.",
    discussion: """
      Takes the terminal, which must have 72 columns and 18 rows or more, and shows what is asked and
      by whom, the fingers, the lock, the tries that are left, and the audit as it happens. On a
      simulated device keys lay fingers, miss, unplug the sensor, reboot and move the clock; the last
      line names them. Nothing is answered here but by such a finger: the passcode is typed where it is
      asked for. When the daemon ends, it waits for the next one, which it does not start. q ends it.

        authctl --device demo panel
      """
  ) { (context) throws(Failure) in try run(context) }

  private static let ended = "The panel ended."

  private static func run(_ context: VerbContext) throws(Failure) -> Report {
    try checkTerminal(context)
    let status = try context.call(Methods.status, DeviceVerbs.call(try context.device()))
    let address = try context.address()
    let feed = try context.calling { () throws(ClientError) in
      try PanelFeed(of: status.device.name) { () throws(ClientError) in try address.connect() }
    }
    var run = try PanelRun(Panel(status), fedBy: feed, on: terminal(), context)
    switch try run.run() {
    case .closed: return Report(ended)
    case .interrupted(let signal):
      context.output.say(ended)
      run.reraise(signal)
      return Report(.appCancel, ended) { _ in }
    }
  }

  /// Fails unless a person sees what is drawn.
  private static func checkTerminal(_ context: VerbContext) throws(Failure) {
    guard !context.output.wantsJSON else {
      throw Failure(.usage, "The panel is for people: --json has status and audit --follow.")
    }
    guard isatty(STDIN_FILENO) != 0, isatty(STDOUT_FILENO) != 0 else {
      throw Failure(
        .usage,
        "The panel needs a terminal as standard input and output; see authctl status, and "
          + "authctl audit --follow."
      )
    }
    guard context.promptStyle.movesCursor else {
      throw Failure(
        .usage,
        "The panel needs a terminal with a cursor that moves, and TERM or LOCALAUTH_PROMPT_LINES "
          + "says it has none; see authctl status, and authctl audit --follow."
      )
    }
  }

  private static func terminal() throws(Failure) -> Terminal {
    do throws(TerminalError) { return try Terminal() } catch { throw Failure(error) }
  }
}
