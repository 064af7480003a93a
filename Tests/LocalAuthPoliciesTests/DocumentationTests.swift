import LocalAuthCore
import LocalAuthSensor
import Testing

@testable import LocalAuthPolicies

@Suite struct DocumentationTests {
  private func text(_ path: String) -> String {
    String(decoding: RepositoryFiles.bytes(path), as: UTF8.self)
  }

  /// What stands between `.Bd` and `.Ed` in the manual page.
  private func examples() -> [String] {
    var examples: [String] = []
    var example: String?
    for line in text("docs/man/localauth-policy.5").split(separator: "\n") {
      if line.hasPrefix(".Bd") {
        example = ""
      } else if line == ".Ed" {
        if let example { examples.append(example) }
        example = nil
      } else {
        example?.append("\(line)\n")
      }
    }
    return examples
  }

  @Test func theTableOfOutcomesIsTheCodes() {
    let rows = text("docs/outcomes.md").split(separator: "\n").filter { $0.hasPrefix("| `") }
    #expect(rows.count == OutcomeCode.allCases.count)
    for (row, code) in zip(rows, OutcomeCode.allCases) {
      let laError = code.laError.map(String.init) ?? "–"
      #expect(
        row.hasPrefix("| `\(code.rawValue)` | \(code.exit) | \(laError) | \(code.sentence) | ")
      )
    }
  }

  @Test func theManualNamesEveryKey() {
    let manual = text("docs/man/localauth-policy.5")
    let keys =
      PolicyFile.keys + PolicyFile.freshnessKeys + LockoutProfileFile.keys + PasscodeDelaysFile.keys
      + DelayFile.rowKeys + DelayFile.forgetsKeys + SensorProfileFile.keys
      + SensorProfileFile.calibrationKeys + SensorProfileFile.latencyKeys
      + SensorProfileFile.fingerStateKeys + PopulationKind.allKeys + DescriptorObject.keys
    for key in keys { #expect(manual.contains(".It Cm \(key)"), "\(key)") }
  }

  @Test func theManualNamesWhatIsShipped() {
    let manual = text("docs/man/localauth-policy.5")
    let readme = text("policies/README.md")
    let catalog = PolicyCatalog()
    for name in catalog.names + catalog.lockoutProfileNames + catalog.passcodeDelayNames
      + catalog.sensorProfileNames
    {
      #expect(manual.contains(".It Cm \(name)\n"), "\(name)")
      #expect(readme.contains("`\(name)`"), "\(name)")
    }
  }

  @Test func theExamplesOfTheManualWork() throws {
    let examples = examples()
    try #require(examples.count == 4)
    let paths = [
      "policy/deploy.json", "lockout/two-strikes.json", "sensor/front-door.json",
      "sensor/attested.json",
    ]
    let files = zip(paths, examples).map { path, text in
      PolicyDirectory.File(path: path, contents: .bytes(Array(text.utf8)))
    }
    let catalog = PolicyCatalog(
      system: PolicyDirectory(path: "/etc/localauth/policies", files: files)
    )
    #expect(catalog.problems.map(\.description) == [])
    #expect(try catalog.policy(named: "deploy").get().lockout == "two-strikes")
    #expect(try catalog.sensorProfile(named: "front-door").get().fakes == nil)
    #expect(try catalog.sensorProfile(named: "attested").get().fakes?.iapar == 0.07)
  }
}
