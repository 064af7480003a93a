import Glibc
import LocalAuthJSON
import Testing

@testable import authctl

/// `policy solve --prism`, as it is typed.
@Suite struct PrismFilesTests {
  private func run(_ line: String) throws -> ProgramRun {
    try ProgramRun(line.split(separator: " ").map(String.init))
  }

  private func text(_ path: String) throws -> String {
    try TextFile.read(path: path)
  }

  @Test func modelAndPropertiesAreWritten() throws {
    let scratch = Scratch()
    let line = "policy solve device-owner --sensor goats --days 2 --logins 2"
    let run = try run("\(line) --prism \(scratch.path)/a.prism --json")
    let prism = try run.object["prism"]
    #expect(run.status == 0, "\(run.error)")
    #expect(prism?["model"]?.string == "\(scratch.path)/a.prism")
    #expect(prism?["properties"]?.string == "\(scratch.path)/a.props")
    let states = try #require(prism?["states"]?.integer)
    let model = try text("\(scratch.path)/a.prism")
    #expect(model.contains("\ndtmc\n") && model.contains("At most \(states) states."))
    #expect(
      try text("\(scratch.path)/a.props").contains("\"everLockedOut\": P=? [ F \"lockout\" ];")
    )
    #expect(run.error.contains("of at most \(states) states"), "\(run.error)")
    // SAFETY: the strings are C strings for the duration of the calls.
    #expect(unsafe unlink("\(scratch.path)/a.prism") == 0 && unlink("\(scratch.path)/a.props") == 0)
    #expect(unsafe rmdir(scratch.path) == 0, "a draft is left")
  }

  @Test func withoutTheOptionNothingIsSaidOfIt() throws {
    let run = try run("policy solve passcode --days 1 --json")
    #expect(run.output.contains("\"prism\":null"))
    #expect(run.error.isEmpty)
  }

  @Test(arguments: [
    ("--days 2 --prism /tmp/a.txt", 2, "a file that ends in .prism"),
    ("--days 2 --prism .prism", 2, "a file that ends in .prism"),
    ("--days 2 --prism /dev/null/a.prism", 2, "/dev/null/a.prism cannot be written"),
    ("--days 60 --prism /dev/null/a.prism", 2, "give it fewer days or logins"),
  ])
  func whatCannotBeIsOneClearLine(_ options: String, _ status: Int32, _ words: String) throws {
    let run = try run("policy solve device-owner --sensor goats \(options)")
    #expect(run.status == status, "\(run.error)")
    #expect(run.error.contains(words), "\(run.error)")
    #expect(run.error.split(separator: "\n").count == 1, "\(run.error)")
    #expect(run.output.isEmpty)
  }

  /// The chain is that of the people who never leave it, and the solution beside it too.
  @Test func nobodyIsDroppedBesideAChain() throws {
    let scratch = Scratch()
    let line = "policy solve biometrics --profile fido --sensor goats --days 2 --logins 3 --json"
    let usual = try run(line).object
    let written = try run("\(line) --quiet --prism \(scratch.path)/a.prism").object
    #expect((usual["states"]?.integer ?? 0) < (written["states"]?.integer ?? 0))
  }
}
