import Glibc
import LocalAuthJSON
import Testing

@testable import authctl

/// `policy solve` and `policy simulate` with `--plot`.
@Suite struct DrawingTests {
  private static let isInstalled = unsafe access("/usr/bin/gnuplot", X_OK) == 0

  private func run(_ line: String, environment: [String] = []) throws -> ProgramRun {
    try ProgramRun(line.split(separator: " ").map(String.init), environment: environment)
  }

  /// Whether nothing is in the directory, which is gone then.
  private func isEmpty(_ scratch: Scratch) -> Bool {
    // SAFETY: the string is a C string for the length of the call.
    unsafe rmdir(scratch.path) == 0
  }

  @Test(
    .enabled(if: isInstalled, "needs gnuplot"),
    arguments: ["det", "survival", "attackers", "people"],
    ["svg", "png"]
  )
  func everyPictureIsDrawnInBothFormats(_ picture: String, _ format: String) throws {
    let scratch = Scratch()
    let path = "\(scratch.path)/p.\(format)"
    let run = try run(
      "policy solve device-owner --sensor goats --days 5 --plot \(path) --picture \(picture)"
    )
    #expect(run.status == 0, "\(run.error)")
    #expect(run.error == "authctl policy solve: The picture is in \(path).\n")
    let bytes = try ProgramRun.bytes(of: path)
    #expect(bytes.starts(with: format == "svg" ? Array("<?xml".utf8) : [0x89, 0x50, 0x4E, 0x47]))
    #expect(bytes.count > 5_000)
    // SAFETY: the string is a C string for the length of the call.
    #expect(unsafe unlink(path) == 0)
    #expect(isEmpty(scratch), "a draft is left")
  }

  @Test(.enabled(if: isInstalled, "needs gnuplot"), arguments: ["survival", "people"])
  func simulationIsDrawnToo(_ picture: String) throws {
    let scratch = Scratch()
    let path = "\(scratch.path)/p.svg"
    let run = try run(
      "policy simulate biometrics --population 20 --days 5 --seed 1 --plot \(path) --picture \(picture)"
    )
    #expect(run.status == 0, "\(run.error)")
    let text = String(decoding: try ProgramRun.bytes(of: path), as: UTF8.self)
    #expect(text.contains(picture == "people" ? "met in a year" : "simulated"))
  }

  @Test(.enabled(if: isInstalled, "needs gnuplot"))
  func attackersAreDrawnWithTheOptionsGiven() throws {
    let scratch = Scratch()
    let path = "\(scratch.path)/p.svg"
    let options = "--iapar 0.01 --digits 6 --attacker presentation --attacker pin"
    let run = try run(
      "policy solve device-owner --days 1 \(options) --plot \(path) --picture attackers"
    )
    #expect(run.status == 0, "\(run.error)")
    let text = String(decoding: try ProgramRun.bytes(of: path), as: UTF8.self)
    #expect(text.contains("presentation, 1 % of fakes pass"))
    #expect(text.contains("pin, 1000000 passcodes"))
    #expect(!text.contains("zero-effort"))
  }

  @Test(.enabled(if: isInstalled, "needs gnuplot")) func simulatedAttacksAreDrawnToo() throws {
    let scratch = Scratch()
    let path = "\(scratch.path)/p.svg"
    let run = try run(
      "policy simulate device-owner --population 2 --days 1 --seed 1 --attacks 2000 "
        + "--attacker presentation --plot \(path) --picture attackers"
    )
    #expect(run.status == 0, "\(run.error)")
    let text = String(decoding: try ProgramRun.bytes(of: path), as: UTF8.self)
    #expect(text.contains("presentation, simulated"))
  }

  @Test(.enabled(if: isInstalled, "needs gnuplot")) func quietSaysNothingOfThePicture() throws {
    let scratch = Scratch()
    let path = "\(scratch.path)/p.svg"
    let run = try run("--quiet policy solve passcode --days 2 --plot \(path)")
    #expect(run.status == 0)
    #expect(run.error == "")
  }

  @Test(.enabled(if: isInstalled, "needs gnuplot"))
  func existingPictureIsReplacedAsAWhole() throws {
    let scratch = Scratch()
    let path = scratch.write("old", to: "p.svg")
    #expect(try run("policy solve passcode --days 2 --plot \(path)").status == 0)
    #expect(try ProgramRun.bytes(of: path).starts(with: Array("<?xml".utf8)))
  }

  @Test(
    .enabled(if: isInstalled, "needs gnuplot"),
    arguments: ["/nonexistent/p.svg", "/dev/null/p.png", "/proc/p.svg"]
  )
  func pathThatCannotBeWrittenIsOneClearLine(_ path: String) throws {
    let run = try run("policy solve device-owner --plot \(path)")
    #expect(run.status == 2)
    #expect(run.error.contains("\(path) cannot be written"))
    #expect(run.error.split(separator: "\n").count == 1)
    #expect(run.output.isEmpty)
  }

  /// Draws by a program that says nothing, writes this and ends with 0, as gnuplot does on a full disk.
  private func draw(
    _ content: String,
    as format: String,
    in scratch: Scratch,
    _ verb: String = "solve passcode"
  ) throws -> ProgramRun {
    let program = scratch.write("#!/bin/sh\nprintf '\(content)'\n", to: "gnuplot")
    // SAFETY: the string is a C string for the length of the call.
    #expect(unsafe chmod(program, 0o700) == 0)
    return try run(
      "policy \(verb) --days 1 --plot \(scratch.path)/p.\(format)",
      environment: ["PATH=\(scratch.path)"]
    )
  }

  @Test(arguments: [
    ("svg", ""), ("svg", "<?xml?><svg><path"), ("svg", "</svg"), ("png", ""),
    ("png", #"\211PNG"#), ("png", #"\211PNGIEND\256\102\140"#),
  ])
  func anUnfinishedPictureIsNoneAndAFailure(_ format: String, _ content: String) throws {
    let scratch = Scratch()
    let run = try draw(content, as: format, in: scratch)
    #expect(run.status == 70, "\(run.error)")
    #expect(run.error.contains("gnuplot did not finish the picture, so none was written."))
    #expect(run.output.contains("time of a login"), "what was computed is lost with the picture")
    // SAFETY: the string is a C string for the length of the call.
    #expect(unsafe access("\(scratch.path)/p.\(format)", F_OK) != 0)
  }

  @Test func whatWasSimulatedIsNotLostWithThePicture() throws {
    let scratch = Scratch()
    let run = try draw("", as: "svg", in: scratch, "simulate passcode --population 5 --seed 1")
    #expect(run.status == 70 && run.error.contains("none was written."), "\(run.error)")
    #expect(run.output.contains("time of a login"))
  }

  @Test(arguments: [
    ("svg", #"<svg></svg>\n\n"#), ("png", #"\211PNGIEND\256\102\140\202"#),
  ])
  func aPictureThatEndsAsItsFormatDoesIsKept(_ format: String, _ content: String) throws {
    let scratch = Scratch()
    let run = try draw(content, as: format, in: scratch)
    #expect(run.status == 0, "\(run.error)")
    #expect(try ProgramRun.bytes(of: "\(scratch.path)/p.\(format)").count > 10)
  }

  @Test func withoutGnuplotItSaysWhatToInstall() throws {
    let scratch = Scratch()
    let run = try run(
      "policy solve device-owner --plot \(scratch.path)/p.svg",
      environment: ["PATH=/nonexistent"]
    )
    #expect(run.status == 78)
    #expect(run.error.contains("apt install gnuplot-nox"))
    #expect(isEmpty(scratch))
  }

  @Test(arguments: ["solve", "simulate"])
  func aSensorIsNotDrawnForAPolicyThatAsksForNoFinger(_ verb: String) throws {
    let scratch = Scratch()
    let run = try run("policy \(verb) passcode --plot \(scratch.path)/p.svg --picture det")
    #expect(run.status == 2)
    #expect(run.error.contains("passcode asks for no finger, so --picture det"), "\(run.error)")
    #expect(isEmpty(scratch))
  }

  @Test(arguments: ["p.pdf", ".svg", "--picture nothing"])
  func whatCannotBeDrawnIsAUsageError(_ words: String) throws {
    let option = words.hasPrefix("--") ? words : "--plot \(words)"
    let run = try run("policy solve device-owner \(option)")
    #expect(run.status == 2)
    #expect(run.error.split(separator: "\n").count == 1)
  }
}

extension ProgramRun {
  /// What a file holds.
  static func bytes(of path: String) throws -> [UInt8] {
    // SAFETY: the string is a C string for the length of the call.
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    try #require(descriptor >= 0, "\(path): errno \(errno)")
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 1 << 20)
    // SAFETY: the array has room for `count` bytes.
    let count = unsafe read(descriptor, &bytes, bytes.count)
    return Array(bytes.prefix(max(0, count)))
  }
}
