import Glibc
import LocalAuthCore
import LocalAuthJSON
import LocalAuthRNCryptor
import LocalAuthSecret
import LocalAuthUnix
import Testing

@testable import authctl

/// Files and streams in RNCryptor's format.
@Suite struct RNCryptTests {
  private let scratch = Scratch()
  /// The password is a line on standard input.
  private let given = ["--password-stdin"]

  private func content(_ count: Int) -> String {
    String(decoding: (0..<count).map { UInt8($0 % 95 + 32) }, as: UTF8.self)
  }

  private func run(
    _ verb: String,
    _ words: [String],
    _ password: String = "pass\n"
  ) throws
    -> ProgramRun
  {
    try ProgramRun(["--json", "rncrypt", verb] + words, input: password)
  }

  private func encrypted(_ text: String) throws -> String {
    let (plain, message) = (scratch.write(text, to: "plain"), scratch.path + "/message")
    let run = try run("encrypt", ["--in", plain, "--out", message] + given)
    #expect(run.status == 0, "\(run.output)")
    return message
  }

  private func decrypt(_ message: String) throws -> ProgramRun {
    try run("decrypt", ["--in", message, "--out", scratch.path + "/out"] + given)
  }

  private func sealed(_ path: String) throws(Failure) -> MessageStream.Sealed {
    try MessageStream.Sealed(MessageSource(path), for: .password, versions: [3])
  }

  private func keys(of message: borrowing MessageStream.Sealed) -> MessageKeys {
    MessageKeys(password: Secret(copying: "pass".utf8), for: message.header)
  }

  private func bytes(_ path: String) -> [UInt8] {
    let descriptor = FileDescriptor(owning: unsafe open(path, O_RDONLY | O_CLOEXEC))
    var secret = Secret(capacity: 8 << 20)
    return unsafe secret.withUnsafeMutableBytes { room, used in
      while true {
        let free = unsafe UnsafeMutableRawBufferPointer(rebasing: room[used...])
        let count = unsafe read(descriptor.rawValue, free.baseAddress, free.count)
        guard count > 0 else { break }
        used += count
      }
      return unsafe Array(room.prefix(used))
    }
  }

  private func replace(_ path: String, _ bytes: [UInt8]) {
    let descriptor = FileDescriptor(owning: unsafe open(path, O_WRONLY | O_TRUNC | O_CLOEXEC))
    #expect(Output.write(bytes, to: descriptor.rawValue))
  }

  // MARK: Both ways

  /// Around a block, a chunk, and the size from which two threads work.
  @Test(arguments: [0, 1, 15, 16, 17, 131_071, 131_072, 1_048_575, 1_048_576, 1_048_577, 5_000_000])
  func fileOfEveryLengthComesBack(_ count: Int) throws {
    let text = content(count)
    let message = try encrypted(text)
    #expect(bytes(message).count == 82 + count / 16 * 16)
    let run = try decrypt(message)
    #expect(run.status == 0, "\(run.output)")
    #expect(bytes(scratch.path + "/out") == Array(text.utf8))
    #expect(try run.object["file"]?.string == scratch.path + "/out")
  }

  @Test func messageOfThePublishedVectorIsRead() throws {
    let vector: [UInt8] = [
      0x03, 0x01, 0x00, 0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x01, 0x02, 0x03, 0x04, 0x05,
      0x06, 0x07, 0x08, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x08, 0x09, 0x0A, 0x0B, 0x0C, 0x0D,
      0x0E, 0x0F, 0x00, 0x01, 0xA1, 0xF8, 0x73, 0x0E, 0x0B, 0xF4, 0x80, 0xEB, 0x7B, 0x70, 0xF6,
      0x90, 0xAB, 0xF2, 0x1E, 0x02, 0x95, 0x14, 0x16, 0x4A, 0xD3, 0xC4, 0x74, 0xA5, 0x1B, 0x30,
      0xC7, 0xEA, 0xA1, 0xCA, 0x54, 0x5B, 0x7D, 0xE3, 0xDE, 0x5B, 0x01, 0x0A, 0xCB, 0xAD, 0x0A,
      0x9A, 0x13, 0x85, 0x7D, 0xF6, 0x96, 0xA8,
    ]
    let message = scratch.write("", to: "vector")
    replace(message, vector)
    let run = try run(
      "decrypt",
      ["--in", message, "--out", scratch.path + "/out"] + given,
      "thepassword\n"
    )
    #expect(run.status == 0, "\(run.output)")
    #expect(bytes(scratch.path + "/out") == [0x01])
  }

  /// This one has no provider of ciphers; in a static program any other might be a library to load.
  @Test func configurationOfOpenSSLIsNotRead() throws {
    let configuration = scratch.write(
      """
      openssl_conf = init
      [init]
      providers = providers
      [providers]
      base = base
      [base]
      activate = 1
      """,
      to: "openssl.cnf"
    )
    let run = try ProgramRun(
      ["rncrypt", "encrypt", "--in", scratch.write("x", to: "x"), "--out", scratch.path + "/out"]
        + given,
      input: "pass\n",
      environment: ["OPENSSL_CONF=" + configuration]
    )
    #expect(run.status == 0, "\(run.error)")
  }

  @Test(arguments: [40, 3_000_000])
  func streamOfEveryLengthIsCopiedBeforeItIsVerified(_ count: Int) throws {
    let message = bytes(try encrypted(content(count)))
    var ends: [Int32] = [-1, -1]
    #expect(unsafe pipe(&ends) == 0)
    let reading = FileDescriptor(owning: ends[0])
    let writing = ends[1]
    let writer = try SystemThread(name: "writer") {
      #expect(Output.write(message, to: writing))
      close(writing)
    }
    let source = try MessageSource("/dev/fd/\(reading.rawValue)")
    #expect(source.size == nil)
    let copy = try source.copied()
    writer.join()
    #expect(copy.size == message.count)
    #expect(try copy.bytes(message.count, at: 0) == message)
  }

  // MARK: On a terminal

  @Test func terminalAsksTwiceAndShowsNoPassword() throws {
    let (plain, message) = (scratch.write("a note\n", to: "plain"), scratch.path + "/message")
    var making = try TerminalRun(["rncrypt", "encrypt", "--in", plain, "--out", message])
    let made = try making.answer([("New password", "pass\r"), ("again", "pass\r")])
    #expect(made.exit == .status(0), "\(made.screen)")
    var differing = try TerminalRun(["rncrypt", "encrypt", "--in", plain, "--out", message])
    let refused = try differing.answer([("New password", "pass\r"), ("again", "past\r")])
    #expect(refused.exit != .status(0), "\(refused.screen)")
    var reading = try TerminalRun(["rncrypt", "decrypt", "--in", message, "--show"])
    let shown = try reading.answer([("Password", "pass\r")])
    #expect(shown.exit == .status(0), "\(shown.screen)")
    #expect(shown.screen.contains("a note"))
    for screen in [made.screen, refused.screen, shown.screen] {
      #expect(!screen.contains("pass\r") && !screen.contains("past"))
    }
  }

  @Test func terminalGetsContentOnlyWhenAskedFor() throws {
    let message = try encrypted("a note")
    for (verb, words) in [("decrypt", ["--in", message]), ("encrypt", ["--in", message])] {
      var run = try TerminalRun(["rncrypt", verb] + words)
      let (exit, screen) = try run.answer([])
      #expect(exit == .status(2) && screen.contains("give --out FILE"), "\(screen)")
    }
    var typed = try TerminalRun(["rncrypt", "encrypt", "--out", scratch.path + "/out"])
    let (exit, screen) = try typed.answer([])
    #expect(exit == .status(2) && screen.contains("give what to read with --in"), "\(screen)")
  }

  // MARK: Damage

  @Test func noFlippedBitLetsAFileAppear() throws {
    let message = try encrypted("a note")
    let whole = bytes(message)
    for place in whole.indices {
      var damaged = whole
      damaged[place] ^= 1 << (place % 8)
      replace(message, damaged)
      let error = #expect(throws: Failure.self) {
        let sealed = try sealed(message)
        try MessageStream.decrypt(sealed, keys(of: sealed), to: -1)
      }
      #expect(error?.outcome == (place < 2 ? .usage : .authenticationFailed), "byte \(place)")
    }
  }

  @Test func nothingIsLostWhereAMessageCannotBeRead() throws {
    let message = try encrypted("a note of two blocks")
    let kept = scratch.write("what was there", to: "out")
    let wrong = try run("decrypt", ["--in", message, "--out", kept] + given, "wrong\n")
    #expect(wrong.status == 1)
    replace(message, Array(bytes(message).dropLast()))
    let cut = try decrypt(message)
    #expect(cut.status == 2)
    #expect(try cut.object["message"]?.string?.contains("15 bytes more than whole blocks") == true)
    #expect(bytes(kept) == Array("what was there".utf8))
  }

  /// The result goes to a pipe that nobody reads until the file is another one.
  @Test func fileThatChangesBetweenItsTwoReadingsIsDiscarded() throws {
    let path = try encrypted(content(4_000_000))
    let message = try sealed(path)
    var ends: [Int32] = [-1, -1]
    #expect(unsafe pipe(&ends) == 0)
    let (reading, writing) = (ends[0], ends[1])
    let reader = try SystemThread(name: "reader") {
      var byte: UInt8 = 0
      // The first byte comes out once the whole message was verified.
      #expect(unsafe read(reading, &byte, 1) == 1)
      let file = FileDescriptor(owning: unsafe open(path, O_WRONLY | O_CLOEXEC))
      #expect(unsafe pwrite(file.rawValue, [0, 1, 2, 3], 4, 3_900_000) == 4)
      var rest = [UInt8](repeating: 0, count: 65_536)
      while unsafe read(reading, &rest, rest.count) > 0 {}
      close(reading)
    }
    let error = #expect(throws: Failure.self) {
      try MessageStream.decrypt(message, keys(of: message), to: writing)
    }
    close(writing)
    reader.join()
    #expect(error?.outcome == .authenticationFailed)
  }

  @Test func diskThatIsFullIsOneErrorOnBothThreads() throws {
    for count in [100, 5_000_000] {
      let message = try encrypted(content(count))
      let full = FileDescriptor(owning: unsafe open("/dev/full", O_WRONLY | O_CLOEXEC))
      let sealed = try sealed(message)
      let error = #expect(throws: Failure.self) {
        try MessageStream.decrypt(sealed, keys(of: sealed), to: full.rawValue)
      }
      #expect(error?.message == "The result cannot be written: No space left on device.")
    }
  }

  // MARK: What cannot be done

  @Test func messageOfAnotherKindIsNamed() throws {
    let path = scratch.write("", to: "message")
    let cases: [([UInt8], String)] = [
      ([], "The message is empty."),
      (Array("AwHhY29udGVudA==".utf8), "base64"),
      ([2, 1] + Array(repeating: 0, count: 80), "format 2: --accept-v2 reads it"),
      ([1, 1] + Array(repeating: 0, count: 80), "format 1"),
      ([0, 1] + Array(repeating: 0, count: 80), "format 0"),
      ([3, 0] + Array(repeating: 0, count: 64), "give them with --keys or --keys-fd"),
      ([3, 1] + Array(repeating: 0, count: 10), "12 bytes; the shortest has 82"),
    ]
    for (bytes, words) in cases {
      replace(path, bytes)
      let run = try decrypt(path)
      #expect(run.status == 2)
      #expect(try run.object["message"]?.string?.contains(words) == true, "\(run.output)")
    }
  }

  @Test func whatCannotBeMeantIsAUsageError() throws {
    let file = scratch.write("x", to: "file")
    let out = ["--out", scratch.path + "/out"]
    let cases: [(String, [String], String)] = [
      ("encrypt", ["--in", file, "--out", file] + given, "--in and --out are one file"),
      ("encrypt", ["--in", file] + given, "with --json give --out FILE"),
      ("encrypt", out + given, "Standard input is the password"),
      ("encrypt", out + ["--password-fd", "0"], "Standard input is the password"),
      ("encrypt", ["--in", scratch.path + "/absent"] + out + given, "absent cannot be opened"),
      ("encrypt", ["--in", scratch.path] + out + given, "cannot be read: Is a directory"),
      ("encrypt", ["--in", file, "--out", scratch.path] + given, "Is a directory"),
      ("encrypt", ["--in", file, "--out", "/dev/null"] + given, "no regular file"),
      ("decrypt", ["--in", file] + out + given + ["--show"], "exclude"),
    ]
    for (verb, words, message) in cases {
      let run = try run(verb, words)
      #expect(run.status == 2, "\(words)")
      #expect((run.output + run.error).contains(message), "\(run.output)\(run.error)")
    }
    let empty = try run("encrypt", ["--in", file] + out + given, "\n")
    #expect(empty.status == 2 && empty.output.contains("not empty"))
    #expect(unsafe access(scratch.path + "/out", F_OK) != 0)
  }
}
