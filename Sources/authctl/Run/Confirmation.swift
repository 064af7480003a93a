import LocalAuthCore
import LocalAuthTerminal

/// The question before something is destroyed.
enum Confirmation {
  static let yes = Flag(
    "yes",
    help: "do not ask whether to go on; without a terminal nobody is asked"
  )
}

extension VerbContext {
  /// Whether there is a terminal to ask a person on.
  var canAsk: Bool { (try? Terminal()) != nil }

  /// Whether a person can be asked whether to go on, and has not said so with `--yes`.
  var asksToGoOn: Bool { !arguments[Confirmation.yes] && (try? Terminal()) != nil }

  /// Asks on the terminal whether to do what `text` announces, and fails if the person does not want
  /// it.
  ///
  /// Without a terminal, and with `--yes`, nobody is asked. Where a no is final, an answer that is neither is asked for once
  /// more.
  func confirm(_ text: String, isFinal: Bool = false) throws(Failure) {
    guard asksToGoOn else { return }
    var session: PromptSession
    do throws(TerminalError) {
      session = try PromptSession(terminal: try Terminal(), style: promptStyle)
    } catch {
      throw Failure(error)
    }
    defer { session.end() }
    let goesOn: Bool
    do throws(SecretInputError) {
      goesOn = try isFinal ? session.decide(text) : session.confirm(text)
    } catch {
      throw Failure(error)
    }
    guard goesOn else { throw Failure(.userCancel, "Nothing was changed.") }
  }
}
