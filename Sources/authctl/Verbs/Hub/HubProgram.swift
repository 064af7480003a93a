import LocalAuthCore
import LocalAuthUnix

/// `localauth-sync hub …`: the program that links PostgreSQL's library, so that this one does not.
struct HubProgram {
  private let program: CompanionProgram
  private let connection: String
  private let environment: [String]

  /// Finds the program, for the database that the verb names.
  init(_ context: VerbContext) throws(Failure) {
    connection = context.arguments[HubVerbs.connection] ?? ""
    // What libpq reads for an administrator, as psql does.
    let names = [
      "HOME", "PGHOST", "PGPORT", "PGDATABASE", "PGUSER", "PGPASSFILE", "PGPASSWORD", "PGSERVICE",
      "PGSERVICEFILE", "PGSSLMODE", "PGSSLROOTCERT", "PGSSLCERT", "PGSSLKEY",
    ]
    environment =
      ["PATH=/usr/bin:/bin", "LC_ALL=C.UTF-8"]
      + names.compactMap { name in context.environment[name].map { "\(name)=\($0)" } }
    program = try Self.program(context)
  }

  private static func program(_ context: VerbContext) throws(Failure) -> CompanionProgram {
    do throws(LaunchError) {
      if let found = try CompanionProgram("localauth-sync", in: context.environment) {
        return found
      }
    } catch { throw Failure(.badConfiguration, "\(error).") }
    throw Failure(.unreachable, "localauth-sync is not installed.")
  }

  /// Runs it, and returns the lines that it said.
  func run(_ act: String...) throws(Failure) -> HubLines {
    let output = try scratch()
    try run(act, output: output.descriptor)
    return HubLines(output.lines(limit: 1 << 20))
  }

  /// Runs it with this standard output; fails with the sentence that it said.
  func run(_ act: [String], output: Int32) throws(Failure) {
    let errors = try scratch()
    let exit: ChildProcess.Exit
    do throws(SystemError) {
      exit = try program.run(
        ["hub"] + act + (connection.isEmpty ? [] : [connection]),
        environment: environment,
        output: output,
        errors: errors.descriptor
      )
    } catch { throw Failure(.internalError, "\(error).") }
    guard exit != .status(0) else { return }
    let told: [OutcomeCode] = [.usage, .unreachable, .notPermitted, .badConfiguration]
    let outcome = told.first { exit == .status($0.exit) } ?? .internalError
    // Its sentence comes last: libpq may have complained of a file that it did not read.
    let line = errors.lines(limit: 1 << 16).last
    throw Failure(outcome, line ?? "localauth-sync ended without a word.")
  }

  private func scratch() throws(Failure) -> ScratchFile {
    do throws(SystemError) { return try ScratchFile("") } catch {
      throw Failure(.internalError, "\(error).")
    }
  }
}

/// What the program said, in lines of `name=value`.
struct HubLines {
  private let pairs: [(name: String, value: String)]

  init(_ lines: [String]) {
    pairs = lines.compactMap { line in
      let parts = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      return parts.count == 2 ? (String(parts[0]), String(parts[1])) : nil
    }
  }

  /// All values of a name.
  func all(_ name: String) -> [String] { pairs.filter { $0.name == name }.map(\.value) }

  /// The first value of a name; empty for none.
  func first(_ name: String) -> String { all(name).first ?? "" }

  /// The circles, the one that was used longest ago first.
  var circles: [HubCircle] { all("circle").compactMap { HubCircle($0) } }

  /// What a verb reports of them.
  func report(_ message: String, _ outcome: OutcomeCode = .success) -> Report {
    let numbers = ["circles", "devices", "zones", "records", "bytes"]
    var report = Report(outcome, message) { writer in
      // The report has a version of its own.
      writer.member("hubVersion", Int64(first("version")))
      for name in numbers {
        if let number = Int64(first(name)) { writer.member(name, number) }
      }
      if !circles.isEmpty { writer.member("eachCircle", circles) { $0.write(to: &$1) } }
      writer.member("server", first("server"))
      for (name, member) in [("made", "made"), ("missing", "missing"), ("problem", "problems")] {
        let values = all(name)
        if !values.isEmpty { writer.member(member, values) }
      }
    }
    report.answer = answer(message)
    return report
  }

  private func answer(_ message: String) -> [String] {
    var lines = [message, "PostgreSQL \(first("server"))"]
    lines += all("made").map { "made: \($0)" } + all("missing").map { "missing: \($0)" }
    guard !first("circles").isEmpty else { return lines }
    lines.append(
      "\(first("circles")) circles, \(first("devices")) devices, \(first("zones")) zones, "
        + "\(first("records")) records, \(first("bytes")) bytes"
    )
    if !circles.isEmpty { lines += [""] + Columns.table(circles.map(\.row)) }
    return lines
  }
}
