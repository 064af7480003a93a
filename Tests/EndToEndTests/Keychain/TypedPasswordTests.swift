import LocalAuthUnix
import Testing

/// People who type the application passwords of items, at real terminals.
@Suite struct TypedPasswordTests {
  private static let question = "Application password:"

  private let scratch = Scratch()
  private let daemon: DaemonProcess
  private let keychain: KeychainCommands

  init() throws {
    daemon = try DaemonProcess(home: scratch.file("home"))
    try daemon.connect().create("sim", passcode: "1234")
    keychain = KeychainCommands(home: daemon.home)
  }

  private func terminal(_ words: [String]) throws -> TerminalProgram {
    try .authctl(["--home", daemon.home, "--device", "sim", "keychain"] + words)
  }

  /// Answers questions, one after the other.
  private func type(
    _ answers: [(question: String, answer: String)],
    at terminal: TerminalProgram
  ) throws {
    for (question, answer) in answers {
      try terminal.wait(for: question)
      terminal.type(answer + "\r")
    }
  }

  private func addMail() throws {
    let control = ["--access-control", "applicationPassword"]
    #expect(try keychain.add("mail", "s3cret", control, password: "open sesame\n").status == 0)
  }

  @Test func aNewOneIsTypedTwiceAndOpensTheItem() throws {
    let adding = try terminal(
      ["add", "--account", "mail", "--access-control", "applicationPassword"]
    )
    try type(
      [
        ("Secret for account mail:", "s3cret"), ("same again", "s3cret"),
        ("New application password", "open sesame"),
        ("same application password again", "open sesame"),
      ],
      at: adding
    )
    #expect(try adding.waitForExit() == .status(0), "\(adding.screen)")
    #expect(adding.isRestored && !adding.screen.contains("sesame"))
    #expect(try keychain.get("mail", password: "open sesame\n").output == "s3cret")
  }

  @Test func aWrongOneIsTypedAnewAndThePromptNamesTheItem() throws {
    try addMail()
    let reading = try terminal(["get", "--account", "mail"])
    try reading.wait(for: "open \"mail\"")
    try type([(Self.question, "salt")], at: reading)
    try reading.wait(for: "That application password is wrong.")
    try type([(Self.question, "open sesame")], at: reading)
    #expect(try reading.waitForExit() == .status(0), "\(reading.screen)")
    #expect(reading.screen.contains("s3cret") && !reading.screen.contains("sesame"))
    #expect(reading.isRestored && !reading.screen.contains("use the passcode"))
  }

  @Test func threeWrongOnesEndTheCall() throws {
    try addMail()
    let reading = try terminal(["get", "--account", "mail"])
    for wrong in ["salt", "sugar", "flour"] { try type([(Self.question, wrong)], at: reading) }
    #expect(try reading.waitForExit() == .status(1), "\(reading.screen)")
  }

  @Test func thePasscodeThatWasGivenAnswersNoApplicationPassword() throws {
    try addMail()
    let passcode = try Captured("1234\n")
    let reading = try withExtendedLifetime(passcode) {
      try TerminalProgram(
        [
          Machine.authctl, "--home", daemon.home, "--device", "sim", "keychain", "get",
          "--account", "mail", "--passcode-fd", "3",
        ],
        descriptors: [.duplicate(of: passcode.descriptor)]
      )
    }
    try reading.wait(for: Self.question)
    reading.type("open sesame\r")
    #expect(try reading.waitForExit() == .status(0), "\(reading.screen)")
    #expect(reading.screen.contains("s3cret"))
  }
}
