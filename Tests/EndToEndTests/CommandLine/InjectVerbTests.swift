import Glibc
import LocalAuthJSON
import LocalAuthUnix
import Testing

/// Templates that are filled in with secrets.
@Suite struct InjectVerbTests {
  private let device: SecretDevice
  private var template: String { device.scratch.file("template") }
  private var directory: String { device.scratch.file("result") }
  private var out: String { directory + "/out" }

  init() throws {
    device = try SecretDevice()
    _ = try device.scratch.makeDirectory("result")
  }

  private func inject(_ more: [String]) throws -> RunningProgram.Report {
    try device.authctl(["inject", "--in", template] + more)
  }

  @Test func everyOtherByteStaysAsItIs() throws {
    let every = (0...255).map { UInt8($0) }
    let reference = Array("{{ localauth://free/x }}".utf8)
    try Files.write(every + reference + every + reference, to: template)
    let run = try inject(["--out", out])
    #expect(run.status == 0 && run.output.isEmpty, "\(run.errors)")
    let secret = Array("third secret".utf8)
    #expect(try Files.read(out) == every + secret + every + secret)
    let streamed = try device.authctl(["inject"], input: "a {{localauth://free}}\n{{ b }}")
    #expect(streamed.status == 0 && streamed.output == "a third secret\n{{ b }}")
  }

  @Test func oneTouchOpensAllAndThePromptNamesEach() throws {
    try device.scratch.write("{{ localauth://mail/ann }} {{ localauth://db }}", to: "template")
    let run = try device.terminal(["inject", "--in", template, "--out", out])
    try run.wait(for: "fill in ")
    try run.wait(for: "open 2 items: \"mail\" (account ann) and \"db\" (account app/main)")
    #expect(try Files.names(in: directory) == [])
    try device.touch()
    #expect(try run.waitForExit() == .status(0), "\(run.screen)")
    #expect(try Files.text(out) == "first secret second secret")
    #expect(!run.screen.contains("secret second"))
  }

  @Test func theFileIsForItsOwnerAloneAndTakesThePlaceOfAnother() throws {
    try device.scratch.write("{{ localauth://free }}", to: "template")
    try Files.write(Array("old".utf8), to: out, mode: 0o644)
    #expect(try inject(["--out", out]).status == 0)
    var status = stat()
    // SAFETY: the string is a C string and the structure lives for the call.
    #expect(unsafe stat(out, &status) == 0 && status.st_mode & 0o7777 == 0o600)
    #expect(try Files.text(out) == "third secret")
    #expect(try Files.names(in: directory) == ["out"])
  }

  @Test(
    arguments: [
      ("{{ localauth://nope }}", [], 20, "(in line 2 of"),
      ("{{ localauth://mail }}", ["--script", "match"], 21, "line 2"),
      ("{{ localauth://mail/ann }}", [], 5, "Nothing was written."),
      ("{{ localauth://mail/ann }}", ["--script", "miss,cancel"], 3, "Nothing was written."),
      ("{{ localauth://mail/ann", [], 2, "in line 2 of"),
      ("{{ localauth://x y }}", [], 2, "line 2"),
    ] as [(String, [String], Int32, String)]
  )
  func nothingIsWrittenUnlessAllIsOpen(
    _ reference: String,
    _ more: [String],
    _ status: Int32,
    _ part: String
  ) throws {
    try device.scratch.write("a {{ localauth://free }}\nb \(reference)\n", to: "template")
    try Files.write(Array("old".utf8), to: out)
    let filed = try inject(["--out", out] + more)
    #expect(filed.status == status && filed.errors.contains(part), "\(filed.errors)")
    #expect(try Files.text(out) == "old")
    #expect(try Files.names(in: directory) == ["out"])
    let streamed = try inject(more)
    #expect(streamed.status == status && streamed.output.isEmpty, "\(streamed.errors)")
  }

  @Test(arguments: [SIGKILL, SIGTERM, SIGINT])
  func whoIsEndedWhileSomebodyIsAskedLeavesNothing(_ signal: Int32) throws {
    try device.scratch.write("{{ localauth://mail/ann }}", to: "template")
    let run = try device.terminal(["inject", "--in", template, "--out", out])
    try run.wait(for: "open \"mail\"")
    #expect(try run.end(signal) == .signal(signal))
    #expect(try Files.names(in: directory) == [])
  }

  /// A file without a name: whoever is killed in the middle of writing leaves nothing.
  @Test func whoIsKilledWhileWritingLeavesNothing() throws {
    try device.add("big", "x", String(repeating: "s", count: 60_000))
    let line = "{{ localauth://big }}"
    try device.scratch.write(String(repeating: line, count: 60_000), to: "template")
    let run = try RunningProgram(
      SpawnRequest(
        executable: Machine.authctl,
        arguments: device.words + ["inject", "--in", template, "--out", out],
        environment: Authctl.environment,
        descriptors: [.null, .null, .null]
      )
    )
    // 3.6 GB take long enough to be seen in the middle of it.
    let deadline = Deadline.after(.seconds(60))
    while run.isRunning, !deadline.hasPassed,
      !Self.hasUnnamedFile(run.processID, in: directory)
    {}
    #expect(Self.hasUnnamedFile(run.processID, in: directory), "it was not seen writing")
    try run.end(SIGKILL)
    #expect(try Files.names(in: directory) == [])
  }

  private static func hasUnnamedFile(_ process: Int32, in directory: String) -> Bool {
    ((try? Files.opened(by: process)) ?? []).contains { $0.hasPrefix(directory + "/") }
  }

  @Test func templatesHaveALimit() throws {
    let limit = 10 * 1024 * 1024
    let reference = "{{ localauth://free }}"
    let text = String(repeating: "0123456789abcde\n", count: limit / 16 - 2)
    let exact = text + reference + String(repeating: ".", count: 32 - reference.utf8.count)
    #expect(exact.utf8.count == limit)
    try device.scratch.write(exact, to: "template")
    #expect(try inject(["--out", out]).status == 0)
    #expect(try Files.text(out) == exact.replacing(reference, with: "third secret"))
    try device.scratch.write(exact + ".", to: "template")
    let over = try inject(["--out", out])
    #expect(over.status == 2 && over.errors.contains("\(limit) bytes"), "\(over.errors)")
  }

  @Test func aTerminalGetsSecretsOnlyWhenAskedFor() throws {
    try device.scratch.write("<{{ localauth://free }}>", to: "template")
    let refused = try device.terminal(["inject", "--in", template])
    #expect(try refused.waitForExit() == .status(2), "\(refused.screen)")
    #expect(refused.screen.contains("--show") && !refused.screen.contains("third secret"))
    let shown = try device.terminal(["inject", "--in", template, "--show"])
    #expect(try shown.waitForExit() == .status(0), "\(shown.screen)")
    #expect(shown.screen.contains("<third secret>"))
    let typed = try device.terminal(["inject", "--out", out])
    #expect(try typed.waitForExit() == .status(2), "\(typed.screen)")
  }

  @Test func whatIsNoFileToReplaceIsRefused() throws {
    try device.scratch.write("{{ localauth://free }}", to: "template")
    let fifo = device.scratch.file("fifo")
    // SAFETY: the strings are C strings for the length of the calls.
    #expect(unsafe mkfifo(fifo, 0o600) == 0)
    #expect(unsafe symlink(out, device.scratch.file("link")) == 0)
    for path in [
      fifo, device.scratch.file("link"), directory, "/dev/null", "/dev/null/x", template,
    ] {
      let run = try inject(["--out", path])
      #expect(run.status == 2, "\(path): \(run.errors)")
    }
    #expect(try Files.text(template) == "{{ localauth://free }}")
    #expect(try Files.names(in: directory) == [])
    let full = try RunningProgram.run(
      "/bin/sh",
      ["-c", #""$@" > /dev/full"#, "sh", Machine.authctl] + device.words
        + ["inject", "--in", template]
    )
    #expect(full.status == 70, "\(full.errors)")
  }

  /// A limit on the size of files is a full disk.
  @Test func aFileThatTheDiskDoesNotTakeIsNoMistakeOfTheCommandLine() throws {
    try device.scratch.write("{{ localauth://free }}", to: "template")
    let limited = try RunningProgram.run(
      "/bin/sh",
      ["-c", "trap '' XFSZ; ulimit -f 0; exec \"$0\" \"$@\"", Machine.authctl] + device.words
        + ["inject", "--in", template, "--out", out]
    )
    #expect(limited.status == 70, "\(limited.errors)")
    #expect(!Files.exists(out))
  }

  @Test func aBinarySecretIsWrittenByteForByte() throws {
    try device.add("zero", "x", "a\0\u{1}\n\nb\n")
    try device.scratch.write("[{{ localauth://zero }}]", to: "template")
    #expect(try inject(["--out", out]).status == 0)
    #expect(try Files.read(out) == Array("[a\0\u{1}\n\nb\n]".utf8))
  }
}
