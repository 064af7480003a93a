import Foundation
import Testing

/// What the documents and the Makefile say about tests is so.
@Suite struct CitedTestsTests {
  @Test func theTestsAreFound() {
    #expect(NamedTests.exists("CitedTestsTests.theTestsAreFound"))
    #expect(!NamedTests.exists("CitedTestsTests.tests"))
    #expect(NamedTests.suites.count > 100)
    #expect(NamedTests.exists("races.race_of_passcodes") && !NamedTests.exists("races.nothing"))
    #expect(NamedTests.exists("kills.py") && !NamedTests.exists("rig.py"))
  }

  @Test(arguments: ["docs/prior-cves.md", "docs/threat-model.md", "docs/keychain-semantics.md"])
  func everyTestThatADocumentNamesExists(_ path: String) throws {
    let text = try SourceTree.text(of: path)
    for match in text.matches(of: /`(\w+Tests)\.(\w+)`/) {
      let name = "\(match.1).\(match.2)"
      if !NamedTests.exists(name) { Issue.record("\(path): there is no test \(name)") }
    }
  }

  @Test func theDocumentOfPastMistakesNamesTests() throws {
    let text = try SourceTree.text(of: "docs/prior-cves.md")
    #expect(text.matches(of: /`\w+Tests\.\w+`/).count > 60)
    // Whatever looks like a test's name is written as one, or nobody would check it.
    for match in text.matches(of: /\w+Tests(?!\w)/) {
      let before = text[..<match.range.lowerBound].last
      let after = text[match.range.upperBound...].first
      #expect(before == "`" && after == ".", "\(match.0)")
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
