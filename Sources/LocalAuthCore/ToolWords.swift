/// What the programs beside `authctl` and `localauthd` say of themselves, in the way of `localauthd`.
public struct ToolWords: Sendable {
  /// The version of the package, which all of its programs have.
  public static let version = "0.1.0"

  private let name: String
  private let usage: String

  /// The words of the program `name`.
  ///
  /// - Parameters:
  ///   - name: The program's name.
  ///   - usage: What `--help` prints; it names every option.
  public init(of name: String, usage: String) {
    self.name = name
    self.usage = usage
  }

  /// Returns what to print where the first of `words` asks for help or the version; nil otherwise.
  public func answer(to words: some Collection<String>) -> String? {
    switch words.first {
    case "--help", "-h": usage
    case "--version": "\(name) \(Self.version)\n"
    default: nil
    }
  }

  /// Returns the line for `words` that were not understood: it names the first option there is not.
  public func mistake(in words: some Collection<String>) -> String {
    let known = Set(usage.split { !$0.isLetter && $0 != "-" }.filter { $0.hasPrefix("-") })
    let unknown = words.prefix { $0 != "--" }.first {
      $0.hasPrefix("-") && $0 != "-" && !known.contains($0[...])
    }
    let what = unknown.map { "'\(Self.shown($0))' is no option" } ?? "The words are not understood"
    return "\(name): \(what); see \(name) --help.\n"
  }

  /// The word, short and without anything that moves a cursor.
  private static func shown(_ word: String) -> String {
    String(word.prefix(60).map { ("!"..."~").contains($0) ? $0 : "?" })
  }
}
