import Glibc
import LocalAuthUnix
import Testing

/// A program that prints a line for each change, until it is ended.
final class WatchingProgram {
  private let output: Captured
  private let errors: Captured
  private let program: RunningProgram

  /// Starts `authctl` with these words and waits until it has printed something.
  ///
  /// What is changed before the watch is there is not told; so `change` is called until the first line is there.
  init(_ words: [String], _ change: (Int) throws -> Void) throws {
    (output, errors) = (try Captured(), try Captured())
    program = try RunningProgram(
      SpawnRequest(
        executable: Machine.authctl,
        arguments: words,
        environment: Authctl.environment,
        descriptors: [
          .null, .duplicate(of: output.descriptor), .duplicate(of: errors.descriptor),
        ]
      )
    )
    var number = 0
    while output.text.isEmpty {
      number += 1
      try change(number)
      try #require(number < 1000 && program.isRunning, "\(errors.text)")
    }
  }

  /// What it has printed.
  var lines: [Substring] { output.text.split(separator: "\n") }

  /// Waits until it has printed `text`.
  func wait(for text: String) throws { try wait(for: 1, text) }

  /// Waits until it has printed `text` so many times.
  func wait(for count: Int, _ text: String) throws {
    let deadline = Deadline.after(.seconds(60))
    while output.text.ranges(of: text).count < count {
      try #require(!deadline.hasPassed && program.isRunning, "\(output.text)\(errors.text)")
      sched_yield()
    }
  }

  func end() throws { try program.end() }
}
