/// Why a script is invalid, and where.
///
/// The text is never repeated, because a passcode with an unquoted comma looks like an unknown
/// word.
public struct ScriptError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What is wrong.
  public enum Reason: Hashable, Sendable {
    case tooLong
    case tooManyEvents
    case emptyEvent
    case unknownWord
    case missingArgument(ScriptWord)
    case unexpectedArgument(ScriptWord)
    case badArgument(ScriptWord)
    case badSetting(SettingKey)
    case badCommand(FprintWord)
    case unclosedQuote
    case textAfterQuote
    case controlCharacter
  }

  /// What is wrong.
  public let reason: Reason
  /// The number of the event, from 1.
  public let event: Int
  /// The line number, from 1.
  public let line: Int
  /// The byte number in the line, from 1.
  public let column: Int

  /// The error, its place and what is allowed, in one sentence.
  public var description: String {
    "Event \(event) of the script (line \(line), column \(column)) \(sentence)."
  }

  private var sentence: String {
    switch reason {
    case .tooLong: "is not read: a script has at most \(SensorScript.longest) bytes"
    case .tooManyEvents: "is not read: a script has at most \(SensorScript.mostEvents) events"
    case .emptyEvent: "is empty"
    case .unknownWord: "begins with no known word; the words are \(Self.words)"
    case .missingArgument(let word): "needs an argument: \(word.rawValue):\(Self.allowed(word))"
    case .unexpectedArgument(let word): "has an argument, but \(word.rawValue) takes none"
    case .badArgument(let word): "has a bad argument: \(word.rawValue) takes \(Self.allowed(word))"
    case .badSetting(let key): "sets \(key.rawValue) badly: it takes \(key.allowed)"
    case .badCommand(let word):
      "is a bad command: \(word.rawValue) takes \(word.argument ?? "no argument")"
    case .unclosedQuote: "has a quote that is not closed on its line"
    case .textAfterQuote: "goes on after its closing quote; a comma or a new line belongs there"
    case .controlCharacter: "has a control character"
    }
  }

  private static func allowed(_ word: ScriptWord) -> String {
    switch word.argument {
    case .always(let allowed), .maybe(let allowed): allowed
    case .never: "no argument"
    }
  }

  private static var words: String {
    (ScriptWord.allCases.map(\.rawValue) + FprintWord.allCases.map(\.rawValue))
      .joined(separator: ", ")
  }
}
