import Foundation
import Testing

/// `docs/keychain-semantics.md` promises a test for each claim; the promise is kept here.
@Suite struct DocumentationTests {
  private static let here = URL(fileURLWithPath: #filePath).deletingLastPathComponent()

  @Test func everyTestThatThePageNamesExists() throws {
    let page = try String(
      contentsOf: Self.here.appendingPathComponent("../../docs/keychain-semantics.md").standardized,
      encoding: .utf8
    )
    let named = page.split(separator: "`").filter { $0.contains("Tests.") }
    #expect(named.count > 150)
    for name in named {
      let parts = name.split(separator: ".")
      guard parts.count == 2 else {
        Issue.record("\(name) is no Suite.test")
        continue
      }
      let file = Self.here.appendingPathComponent("\(parts[0]).swift")
      let source = try String(contentsOf: file, encoding: .utf8)
      #expect(source.contains("func \(parts[1])("), "\(name)")
    }
  }
}
