/// A sentence of a document, or a row of one of its tables, without markup.
struct DocumentSentence {
  let text: String
  /// Whether it promises by where it stands: in a list of promises, or in a table of attacks.
  let isListed: Bool

  /// Words that promise, wherever they stand.
  static let promisingWords: Set<Substring> = [
    "never", "cannot", "only", "always", "nothing", "nobody", "none", "no", "refuse", "refuses",
    "refused", "must", "before", "until", "every", "neither",
  ]

  var isPromise: Bool {
    let words = text.lowercased().split { !$0.isLetter && $0 != "'" }
    return isListed || words.contains { Self.promisingWords.contains($0) }
  }

  /// Whether it names a test itself.
  var namesATest: Bool { text.contains(/\w+Tests(?!\w)/) }
}

/// Documents cut into sentences.
enum DocumentSentences {
  static func of(_ path: String) throws -> [DocumentSentence] {
    let text = try SourceTree.text(of: path)
    if path.hasSuffix(".md") {
      var reader = MarkdownSentences()
      return reader.read(text)
    }
    var reader = ManualSentences()
    return reader.read(text)
  }

  /// Cuts a paragraph where a mark that ends a sentence is followed by no small letter.
  static func cut(_ paragraph: String, isListed: Bool = false) -> [DocumentSentence] {
    var sentences: [DocumentSentence] = []
    var words: [Substring] = []
    for word in paragraph.split(separator: " ") {
      let ends = words.last?.last.map { ".?!".contains($0) } ?? false
      if ends, word.first?.isLowercase != true {
        sentences.append(.init(text: words.joined(separator: " "), isListed: isListed))
        words = []
      }
      words.append(word)
    }
    if !words.isEmpty {
      sentences.append(.init(text: words.joined(separator: " "), isListed: isListed))
    }
    return sentences
  }
}

/// Sentences of Markdown: without headings, code blocks and comments; a row of a table is one.
struct MarkdownSentences {
  /// Lists below these headings are promises, each point of them.
  static let promisingHeadings: Set<String> = [
    "What it guarantees", "What it refuses", "Principles", "What is protected",
  ]
  /// Tables with one of these columns say how an attack ends, each row of them.
  static let attackColumns: Set<String> = ["what happens", "what follows", "what stops it"]

  private var sentences: [DocumentSentence] = []
  private var heading = ""
  private var isAttackTable = false
  private var block = ""

  mutating func read(_ text: String) -> [DocumentSentence] {
    let prose = text.replacing(/```(?s:.*?)```/, with: "\n\n").replacing(
      /<!--(?s:.*?)-->/,
      with: ""
    )
    for line in prose.split(separator: "\n", omittingEmptySubsequences: false) { read(line) }
    endBlock()
    return sentences
  }

  /// A paragraph, a row or a point of a list without what marks it up; a bold beginning belongs to what
  /// follows.
  static func plain(_ block: some StringProtocol) -> String {
    String(block)
      .replacing(/\[([^\]]*)\]\([^)]*\)/) { $0.1 }
      .replacing(#/^\* \*\*([^*]+)\.\*\*/#) { "\($0.1):" }
      .filter { $0 != "`" && $0 != "*" }
      .split(separator: " ").joined(separator: " ")
  }

  private mutating func read(_ line: Substring) {
    let text = line.drop { $0 == " " }
    let begins = text.isEmpty || ["* ", "|", "#"].contains { text.hasPrefix($0) }
    if begins || text.prefixMatch(of: #/\d+\. /#) != nil {
      endBlock()
      if !text.hasPrefix("|") { isAttackTable = false }
    }
    if text.hasPrefix("#") {
      heading = text.drop { $0 == "#" || $0 == " " }.description
    } else {
      block += (block.isEmpty ? "" : " ") + text
    }
  }

  private mutating func endBlock() {
    let plain = Self.plain(block)
    if block.hasPrefix("|") {
      addRow(plain)
    } else if !plain.isEmpty {
      let isListed = block.hasPrefix("* ") && Self.promisingHeadings.contains(heading)
      sentences += DocumentSentences.cut(plain, isListed: isListed)
    }
    block = ""
  }

  private mutating func addRow(_ row: String) {
    let cells = row.split(separator: "|").map { $0.split(separator: " ").joined(separator: " ") }
    if cells.contains(where: Self.attackColumns.contains) {
      isAttackTable = true
    } else if !cells.allSatisfy({ $0.allSatisfy { $0 == "-" } }) {
      sentences.append(.init(text: row, isListed: isAttackTable))
    }
  }
}
