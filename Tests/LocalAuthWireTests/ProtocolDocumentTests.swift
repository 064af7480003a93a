import Foundation
import LocalAuthWire
import Testing

/// The tables of `docs/protocol.md` have every method, and of each every parameter and no other.
///
/// A table's first column has the method and its second the parameters, with `?` where one may be left
/// out; whatever else is in backticks there stands in parentheses.
@Suite struct ProtocolDocumentTests {
  private struct Row {
    let method: String
    let parameters: Set<String>
  }

  private static let text: String = {
    let path = #filePath.split(separator: "/").dropLast(3).reduce("") { $0 + "/" + $1 }
    return (try? String(contentsOfFile: path + "/docs/protocol.md", encoding: .utf8)) ?? ""
  }()

  /// The rows of the first table below the heading of an interface.
  private func rows(of interface: String) -> [Row] {
    Self.text.split(separator: "\n", omittingEmptySubsequences: false)
      .drop { $0 != "### \(interface)" }.drop { !$0.hasPrefix("|") }.prefix { $0.hasPrefix("|") }
      .dropFirst(2)
      .map { line in
        let cells = line.split(separator: "|", omittingEmptySubsequences: false)
        return Row(
          method: "\(interface).\(words(in: cells[1]).joined())",
          parameters: Set(words(in: cells[2]))
        )
      }
  }

  /// What stands in backticks outside of parentheses.
  private func words(in cell: Substring) -> [String] {
    var depth = 0
    var isCode = false
    var words: [String] = []
    for character in cell {
      switch character {
      case "`":
        isCode.toggle()
        if isCode, depth == 0 { words.append("") }
      case "(" where !isCode: depth += 1
      case ")" where !isCode: depth -= 1
      default: if isCode, depth == 0 { words[words.count - 1].append(character) }
      }
    }
    return words
  }

  /// What `Delete` takes besides what every call about items takes.
  private static let own: Set = ["query", "countOnly"]

  /// How the tables write the parameters of a method, without those that prose says of all.
  private func parameters(of method: any AnyMethod) -> Set<String> {
    let isAsking = method.parameters is any KeychainMessages.AskingCall.Type
    let asking = DeclaredField.all(of: KeychainMessages.DeleteCall.self).map(\.name)
    let common = isAsking ? asking.filter { !Self.own.contains($0) } : []
    return Set(
      DeclaredField.all(of: method.parameters).filter { !common.contains($0.name) }
        .map { $0.isOptional ? "\($0.name)?" : $0.name }
    )
  }

  @Test func everyMethodIsInItsTableAndNoOther() {
    for interface in Interfaces.all {
      let written = rows(of: interface.name).map(\.method)
      #expect(written.sorted() == interface.methods.map(\.name).sorted())
    }
  }

  @Test func everyParameterIsWrittenAsItIsDeclared() throws {
    for interface in Interfaces.all {
      for row in rows(of: interface.name) {
        let method = try #require(interface.methods.first { $0.name == row.method })
        #expect(row.parameters == parameters(of: method), "\(row.method)")
      }
    }
  }

  @Test func whatEveryCallAboutItemsTakesIsWritten() {
    let section = Self.text.components(separatedBy: "### io.localauth.Keychain")[1]
    let prose = section.components(separatedBy: "\n### ")[0]
    for field in DeclaredField.all(of: KeychainMessages.DeleteCall.self) {
      let isWritten = prose.contains("`\(field.name)?`") || prose.contains("| `\(field.name)` |")
      #expect(isWritten || Self.own.contains(field.name), "\(field.name)")
    }
  }
}
