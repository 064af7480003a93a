import Foundation
import Testing

/// What is there of the names that clients of Apple's frameworks use.
@Suite struct SurfaceTests {
  /// A line of `docs/apple-names.txt`.
  private struct Name {
    let text: String
    /// Why it is not here; nil for a name that is.
    let reason: String?
  }

  private struct Group {
    let title: String
    var names: [Name] = []
  }

  private static func groups() throws -> [Group] {
    var groups: [Group] = []
    for line in try SourceTree.text(of: "docs/apple-names.txt").split(separator: "\n") {
      if line.hasPrefix("#") { continue }
      if line.hasPrefix("[") {
        groups.append(Group(title: String(line.dropFirst().dropLast())))
        continue
      }
      let parts = line.split(separator: "-", maxSplits: 1).map {
        $0.trimmingCharacters(in: .whitespaces)
      }
      let name = Name(text: parts[0], reason: parts.count > 1 ? parts[1] : nil)
      groups[groups.count - 1].names.append(name)
    }
    return groups
  }

  /// Every word of public declarations: of Swift's behind the word that declares, of C's all.
  private static func declared() throws -> Set<String> {
    let swift = SourceTree.swiftFiles(
      in: "Sources/LocalAuthSecurity",
      "Sources/LocalAuthSecurityObjects",
      "Sources/LocalAuthentication",
      "Sources/SecureEnclave"
    )
    var names: Set<String> = []
    let declaring: Set = ["let", "var", "func", "class", "struct", "enum", "typealias", "case"]
    for file in swift {
      for (_, text) in file.code {
        let words = text.split { !($0.isLetter || $0.isNumber || $0 == "_") }
        for (word, next) in zip(words, words.dropFirst()) where declaring.contains(String(word)) {
          names.insert(String(next))
        }
      }
    }
    let headers = "Sources/CommonCrypto/include/CommonCrypto"
    let folder = SourceTree.root.appendingPathComponent(headers).path
    for header in try FileManager.default.contentsOfDirectory(atPath: folder) {
      let text = try SourceTree.text(of: "\(headers)/\(header)")
      for word in text.split(whereSeparator: { !($0.isLetter || $0.isNumber || $0 == "_") }) {
        names.insert(String(word))
      }
    }
    return names
  }

  @Test func everyNameIsThereOrHasAReason() throws {
    let declared = try Self.declared()
    for group in try Self.groups() {
      for name in group.names {
        let isThere = declared.contains(name.text.replacingOccurrences(of: ".", with: ""))
        #expect(isThere == (name.reason == nil), "\(name.text)")
      }
    }
  }

  @Test func tableInTheDocumentationIsMadeOfThem() throws {
    let (start, end) = ("<!-- made by: make surface -->\n", "<!-- end -->")
    let path = "docs/apple-source.md"
    let text = try SourceTree.text(of: path)
    let opening = try #require(text.range(of: start))
    let closing = try #require(text.range(of: end))
    let table = try Self.table()
    let written = text[opening.upperBound..<closing.lowerBound]
    if ProcessInfo.processInfo.environment["MAKE_SURFACE"] != nil {
      let whole = text[..<opening.upperBound] + table + text[closing.lowerBound...]
      try whole.write(
        to: SourceTree.root.appendingPathComponent(path),
        atomically: true,
        encoding: .utf8
      )
    } else {
      #expect(written == table, "make surface writes it anew")
    }
  }

  private static func table() throws -> String {
    var lines = ["| names that clients use | of them here | not here |", "|---|---|---|"]
    for group in try groups() {
      let absent = Dictionary(grouping: group.names.filter { $0.reason != nil }) {
        $0.reason ?? ""
      }
      let reasons = absent.sorted { $0.key < $1.key }.map { reason, names in
        names.map { "`\($0.text)`" }.joined(separator: ", ") + ": " + reason
      }
      let here = group.names.count - absent.values.reduce(0) { $0 + $1.count }
      lines.append(
        "| \(group.title) | \(here) of \(group.names.count) | \(reasons.joined(separator: "; ")) |"
      )
    }
    return lines.joined(separator: "\n") + "\n"
  }
}
