import LocalAuthUnix
import Testing

/// What `policy solve` says, against Storm and against a model in Python of docs/policy-science.md.
///
/// `make policy-oracles` asks them about the whole grid.
@Suite struct PolicyOracleTests {
  private static let root = #filePath.split(separator: "/").dropLast(4).reduce("") { $0 + "/" + $1 }
  private static let script = root + "/Tests/PolicyScience/agree.py"
  /// Where .ci/setup installs Storm.
  private static let storm = root + "/.build/storm/bin/python"
  private static let hasStorm =
    (try? RunningProgram.run(storm, ["-c", "import stormpy"]))?.status == 0
  private static let hasPython =
    (try? RunningProgram.run("/usr/bin/env", ["python3", "--version"]))?.status == 0

  private func ask(_ program: String, _ words: [String]) throws -> RunningProgram.Report {
    let words = [Self.script, Machine.authctl] + words
    return try RunningProgram.run(
      "/usr/bin/env",
      [program] + words,
      within: .seconds(170)
    )
  }

  @Test(.enabled(if: hasStorm, "needs PyPI's stormpy, which .ci/setup installs where it can"))
  func stormSumsTheChainUpToTheSame() throws {
    let report = try ask(Self.storm, ["--only", "storm", "--sample", "6"])
    #expect(report.status == 0, "\(report.output)\(report.errors)")
    #expect(report.output.contains("6 cells, "), "\(report.output)")
  }

  @Test(.enabled(if: hasStorm, "needs PyPI's stormpy, which .ci/setup installs where it can"))
  func stormNoticesAChangedChain() throws {
    let report = try ask(Self.storm, ["--only", "storm", "--sample", "1", "--spoil"])
    #expect(report.status == 1, "\(report.output)\(report.errors)")
    #expect(report.output.contains("Storm says "), "\(report.output)")
  }

  @Test(.enabled(if: hasPython, "needs python3")) func modelOfTheDocumentSaysTheSame() throws {
    let report = try ask("python3", ["--only", "document", "--sample", "12"])
    #expect(report.status == 0, "\(report.output)\(report.errors)")
    #expect(report.output.contains("12 cells, "), "\(report.output)")
  }

  @Test(.enabled(if: hasPython, "needs python3")) func modelOfTheDocumentNoticesAChange() throws {
    let report = try ask("python3", ["--only", "document", "--sample", "1", "--spoil"])
    #expect(report.status == 1, "\(report.output)\(report.errors)")
    #expect(report.output.contains("document says "), "\(report.output)")
  }
}
