import LocalAuthClient
import LocalAuthCore
import LocalAuthDialog
import LocalAuthJSON
import LocalAuthTerminal
import LocalAuthUnix
import LocalAuthWire

/// `authctl agent`.
enum AgentVerb {
  static let once = Flag("once", help: "end after one prompt, however it was answered")

  static let command = Command(
    "agent",
    abstract: "Show the prompts of programs that have no terminal, and answer them.",
    discussion: """
      Takes the terminal and waits. A program without a terminal that asks LocalAuth is shown here:
      who asks, why, and for what. There is one agent for each session. With --json each event is one
      JSON object.

        authctl agent
        setsid --wait authctl evaluate --policy passcode --reason backup && ./backup

      Without --wait an interactive shell goes on at once, before anybody has answered.
      """,
    options: [once.declaration]
  ) { (context) throws(Failure) in try run(context) }

  private static let patience = Duration.seconds(30)
  private static let ended = "The agent ended."

  private static func run(_ context: VerbContext) throws(Failure) -> Report {
    let terminal = try terminal()
    let output = context.output
    let tell: (AgentStream.Event) -> Void = { event in
      guard output.wantsJSON, let report = report(of: event) else { return }
      _ = output.writeLine(report)
    }
    let address = try context.address()
    let stream = try context.calling { () throws(ClientError) in
      var stream = try AgentStream(at: address)
      let event = try stream.next(until: .after(patience))
      guard case .registered = event else {
        throw .protocolError("a prompt before the registration was taken")
      }
      tell(event)
      return stream
    }
    var run = DialogRun(
      Dialog(.agent(servesOnce: context.arguments[once])),
      about: stream,
      on: DialogScreen(on: terminal, style: context.promptStyle, opensAtOnce: true),
      tell: tell
    )
    do throws(DialogError) {
      switch try run.run() {
      case .closed, .abandoned: return event("ended", ended)
      case .interrupted(let signal):
        if output.wantsJSON { _ = output.writeLine(event("ended", ended)) }
        output.say(ended)
        run.reraise(signal)
        return Report(.appCancel, ended) { _ in }
      }
    } catch {
      throw DialogEnd.failure(error, context)
    }
  }

  private static func terminal() throws(Failure) -> Terminal {
    do throws(TerminalError) { return try Terminal() } catch { throw Failure(error) }
  }

  // MARK: JSON

  /// Returns the object for an event; it never contains the nonce that authorizes an answer.
  static func report(of event: AgentStream.Event) -> Report? {
    switch event {
    case .queued: nil
    case .registered: self.event("registered", "Prompts are shown from now on.")
    case .prompt(let prompt):
      self.event("prompt", "Somebody is asked.", evaluation: prompt.evaluation) {
        $0.member("prompt") { write(prompt, to: &$0) }
      }
    case .notice(let notice):
      self.event("notice", notice.text) {
        $0.member("notice") { writer in
          writer.member("kind", notice.kind)
          writer.member("factor", notice.factor)
          writer.member("code", notice.code)
        }
      }
    case .dismissed(let dismissal):
      self.event("dismissed", dismissal.message, evaluation: dismissal.evaluation) {
        $0.member("result", dismissal.outcome)
      }
    }
  }

  private static func event(
    _ name: String,
    _ message: String,
    evaluation: String? = nil,
    members: @escaping Report.Members = { _ in }
  ) -> Report {
    Report(message) {
      $0.member("event", name)
      $0.member("evaluation", evaluation)
      members(&$0)
    }
  }

  private static func writeItems(
    _ items: AuthenticationMessages.Items?,
    to writer: inout JSONWriter<JSONGrowingBuffer>
  ) {
    writer.key("items")
    guard let items else { return writer.null() }
    writer.beginObject()
    writer.member("text", items.text)
    writer.member("operations", items.operations)
    writer.member("count", items.count)
    writer.member("named", items.named) { item, writer in
      writer.member("class", item.itemClass)
      writer.member("label", item.label)
      writer.member("service", item.service)
      writer.member("account", item.account)
    }
    writer.endObject()
  }

  private static func write(
    _ prompt: AuthenticationMessages.Prompt,
    to writer: inout JSONWriter<JSONGrowingBuffer>
  ) {
    writer.member("policy", prompt.policy)
    writer.member("reason", prompt.reason)
    writer.member("action", prompt.action)
    writeItems(prompt.items, to: &writer)
    writer.member("audience", prompt.audience)
    writer.member("caller", prompt.caller)
    writer.member("device", prompt.device)
    writer.member("simulated", prompt.simulated)
    writer.member("biometry", prompt.biometry)
    writer.member("passcode", prompt.passcode)
    writer.member("attemptsLeft", prompt.attemptsLeft)
    writer.member("secondsLeft", prompt.secondsLeft)
    writer.member("remembersSeconds", prompt.remembersSeconds)
  }
}
