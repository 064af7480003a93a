/// `docs/promises.md`: which tests attack which sentence of which document.
struct PromiseBook {
  static let path = "docs/promises.md"
  static let noPromise = "no promise:"

  struct Row {
    let document: String
    /// Words of sentences of the document.
    let quotes: [String]
    /// The tests, or why it is no promise.
    let answer: String

    var tests: [String] { answer.matches(of: /`([^`]+)`/).map { String($0.1) } }
    var isNoPromise: Bool { answer.hasPrefix(PromiseBook.noPromise) }
  }

  /// The documents, by the headings that are paths.
  private(set) var documents: [String] = []
  private(set) var rows: [Row] = []

  init() throws {
    let text = try SourceTree.text(of: Self.path)
    for line in text.split(separator: "\n") {
      if line.hasPrefix("## ") {
        documents.append(line.dropFirst(3).filter { $0 != "`" })
      } else if line.hasPrefix("| "), let document = documents.last {
        add(line, of: document)
      }
    }
  }

  private mutating func add(_ line: Substring, of document: String) {
    let parts = String(line.dropFirst(2)).split(separator: " | ", maxSplits: 1).map(String.init)
    guard let first = parts.first, parts.count == 2, first != "promise" else { return }
    let quotes = first.split(separator: "<br>").map(MarkdownSentences.plain)
    let answer = parts[1].split(separator: "|").first.map(String.init) ?? ""
    rows.append(.init(document: document, quotes: quotes, answer: answer))
  }
}
