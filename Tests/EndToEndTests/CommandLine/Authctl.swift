import LocalAuthJSON
import LocalAuthUnix

/// `authctl` as a program.
enum Authctl {
  struct NotOneObject: Error {
    let output: String
  }

  /// Runs it to its end, without a terminal.
  static func run(
    _ words: [String],
    environment: [String] = [],
    input: String = "",
    program: String = Machine.authctl,
    within limit: Duration = .seconds(60)
  ) throws -> RunningProgram.Report {
    try RunningProgram.run(
      program,
      words,
      environment: Self.environment + environment,
      input: input,
      within: limit
    )
  }

  /// What a run finds in its environment: nothing of ours, and a home where root cannot make one.
  static let environment = ["PATH=/usr/bin:/bin", "HOME=/dev/null", "TERM=xterm", "NO_COLOR=1"]
}

extension RunningProgram.Report {
  /// The one object on standard output.
  var json: JSONValue {
    get throws {
      let lines = output.split(separator: "\n")
      guard lines.count == 1 else { throw Authctl.NotOneObject(output: output) }
      return try JSONValue(parsing: Array(lines[0].utf8).span)
    }
  }
}
