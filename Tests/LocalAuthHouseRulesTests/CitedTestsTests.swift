import Foundation
import Testing

/// What the documents and the Makefile say about tests is so.
@Suite struct CitedTestsTests {
  /// The names of the functions of each suite, from the sources.
  private static let tests: [String: Set<String>] = {
    var tests: [String: Set<String>] = [:]
    for file in SourceTree.swiftFiles(in: "Tests") where file.path.hasSuffix("Tests.swift") {
      var suite = ""
      for line in file.lines {
        // A suite begins in the first column, behind its attribute or below it.
        if line.first != " ", let name = name(behind: ["struct", "class", "extension"], in: line) {
          suite = name
        }
        guard line.utf8.contains(UInt8(ascii: "(")) else { continue }
        if let name = name(behind: ["func"], in: line) { tests[suite, default: []].insert(name) }
      }
    }
    return tests
  }()

  /// The name that follows one of `keywords`.
  private static func name(behind keywords: Set<Substring>, in line: Substring) -> String? {
    let words = line.split(separator: " ")
    guard let place = words.firstIndex(where: keywords.contains), place + 1 < words.count else {
      return nil
    }
    return String(words[place + 1].prefix { $0.isLetter || $0.isNumber || $0 == "_" })
  }

  @Test func theTestsAreFound() {
    #expect(Self.tests["CitedTestsTests"]?.contains("theTestsAreFound") == true)
    #expect(Self.tests.count > 100)
  }

  @Test(arguments: ["docs/prior-cves.md", "docs/threat-model.md", "docs/keychain-semantics.md"])
  func everyTestThatADocumentNamesExists(_ path: String) throws {
    let text = try SourceTree.text(of: path)
    for match in text.matches(of: /`(\w+Tests)\.(\w+)`/) {
      let (suite, test) = (String(match.1), String(match.2))
      if Self.tests[suite]?.contains(test) != true {
        Issue.record("\(path): there is no test \(suite).\(test)")
      }
    }
  }

  @Test func theDocumentOfPastMistakesNamesTests() throws {
    let text = try SourceTree.text(of: "docs/prior-cves.md")
    #expect(text.matches(of: /`\w+Tests\.\w+`/).count > 60)
    // Whatever looks like a test's name is written as one, or nobody would check it.
    for match in text.matches(of: /\w+Tests\b/) {
      let before = text[..<match.range.lowerBound].last
      let after = text[match.range.upperBound...].first
      #expect(before == "`" && after == ".", "\(match.0)")
    }
  }

  @Test func everySuiteForThePackagedProgramsExists() throws {
    let makefile = try SourceTree.text(of: "Makefile").replacing("\\\n", with: " ")
    let line = try #require(makefile.firstMatch(of: /PROGRAM_SUITES := ([^\n]+)/))
    let suites = line.1.split(separator: " ").map(String.init)
    let endToEnd = SourceTree.swiftFiles(in: "Tests/EndToEndTests")
    #expect(suites.count > 6)
    for suite in suites {
      let exists = endToEnd.contains { file in
        file.code.contains { "\($0.text) ".contains("struct \(suite) ") }
      }
      if !exists { Issue.record("Makefile: there is no suite \(suite) in Tests/EndToEndTests") }
    }
  }

  @Test func nothingIsInstalledSetuid() throws {
    let makefile = try SourceTree.text(of: "Makefile")
    let modes = makefile.matches(of: /-m\s*(\S+)/).map { String($0.1) }
    #expect(modes.count > 6)
    for mode in modes { #expect(["644", "755"].contains(mode), "install -m \(mode)") }
    for word in ["chmod", "setcap", "chown"] { #expect(!makefile.contains(word), "\(word)") }
  }
}
