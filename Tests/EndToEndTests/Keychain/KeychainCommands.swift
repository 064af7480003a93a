import LocalAuthUnix

/// `authctl keychain` on a device, as a user runs it.
struct KeychainCommands {
  let home: String
  var device = "sim"
  /// The program, where it matters which one asks.
  var executable = Machine.authctl

  /// Runs a verb; `input` is its standard input, and `password` what it reads from descriptor 3.
  func run(
    _ words: [String],
    input: String = "",
    password: String? = nil
  ) throws -> RunningProgram.Report {
    let (output, errors) = (try Captured(), try Captured())
    let (source, given) = (try Captured(input), try Captured(password ?? ""))
    // The descriptors stay open as long as these values live.
    let exit = try withExtendedLifetime((source, given)) {
      try RunningProgram(request(words, source, given, output, errors)).waitForExit()
    }
    return RunningProgram.Report(exit: exit, output: output.text, errors: errors.text)
  }

  private func request(
    _ words: [String],
    _ input: Captured,
    _ password: Captured,
    _ output: Captured,
    _ errors: Captured
  ) -> SpawnRequest {
    SpawnRequest(
      executable: executable,
      arguments: ["--home", home, "--device", device] + words,
      environment: Authctl.environment,
      descriptors: [input, output, errors, password].map { .duplicate(of: $0.descriptor) }
    )
  }

  /// Adds a password, whose secret is `secret`.
  @discardableResult
  func add(
    _ account: String,
    _ secret: String,
    _ more: [String] = [],
    password: String? = nil
  ) throws -> RunningProgram.Report {
    let given = password == nil ? [] : ["--application-password-fd", "3"]
    return try run(
      ["keychain", "add", "--account", account, "--stdin"] + more + given,
      input: secret + "\n",
      password: password
    )
  }

  /// Reads the secret of a password.
  func get(
    _ account: String,
    _ more: [String] = [],
    password: String? = nil
  ) throws -> RunningProgram.Report {
    let given = password == nil ? [] : ["--application-password-fd", "3"]
    return try run(
      ["keychain", "get", "--account", account] + more + given,
      password: password
    )
  }
}
