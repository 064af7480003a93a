/// Sentences of a manual page: without its synopsis and its tables.
struct ManualSentences {
  private static let skipped: Set<String> = ["NAME", "SYNOPSIS", "SEE ALSO"]
  /// What begins a paragraph and is no part of it.
  private static let breaks: Set<String> = [
    "Dd", "Dt", "Os", "Nd", "Pp", "Bl", "El", "It", "Dl", "Bd", "Ed", "Oo", "Oc", "Op",
  ]
  /// What marks a part of a line up.
  private static let marks: Set<String> = [
    "Fl", "Ar", "Cm", "Ic", "Li", "Ql", "Pa", "Xr", "Sx", "Dv", "Ev", "Pq", "Dq", "Ns", "Nm", "Xo",
    "Xc",
    "No", "Sy", "Em",
  ]

  private var sentences: [DocumentSentence] = []
  private var section = ""
  private var isDisplay = false
  private var paragraph = ""

  mutating func read(_ text: String) -> [DocumentSentence] {
    for line in text.split(separator: "\n") {
      let words = line.dropFirst().split(separator: " ").map(String.init)
      if line.hasPrefix("."), let request = words.first {
        read(request, words)
      } else if !isDisplay {
        paragraph += " " + line
      }
    }
    endParagraph()
    return sentences
  }

  private mutating func read(_ request: String, _ words: [String]) {
    if request == "Bd" { isDisplay = true }
    if request == "Ed" { isDisplay = false }
    if request == "Sh" || request == "Ss" {
      endParagraph()
      section = words.dropFirst().joined(separator: " ")
    } else if Self.breaks.contains(request) {
      endParagraph()
    } else if !isDisplay {
      paragraph += " " + plain(words)
    }
  }

  /// A line without its marks; options keep their dash.
  private func plain(_ words: [String]) -> String {
    var plain: [String] = []
    var dash = ""
    for word in words {
      if word == "Fl" { dash = "-" }
      if Self.marks.contains(word) { continue }
      let isPunctuation = word.count == 1 && ".,;:)".contains(word)
      plain.append(isPunctuation ? word : dash + word)
      dash = ""
    }
    return plain.joined(separator: " ")
  }

  private mutating func endParagraph() {
    let text = paragraph.replacing("\\-", with: "-").replacing("\\(dq", with: "\"")
      .replacing("\\&", with: "").replacing("\\e", with: "")
      .split(separator: " ").joined(separator: " ").replacing(#/ ([.,;:)])/#) { $0.1 }
    if !Self.skipped.contains(section) { sentences += DocumentSentences.cut(text) }
    paragraph = ""
  }
}
