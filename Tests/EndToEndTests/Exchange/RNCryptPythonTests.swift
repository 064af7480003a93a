import Testing

/// Messages go to and fro between `authctl rncrypt` and a program of somebody else's.
@Suite struct RNCryptPythonTests {
  private static let python = Repository.path + "/.build/python/bin/python"
  private static let isInstalled =
    (try? RunningProgram.run(python, ["-c", "import rncryptor"]))?.status == 0

  private static let program = """
    import os, sys, rncryptor
    verb, source, target = sys.argv[1:]
    password = os.environ["PASSWORD"]
    with open(source, "rb") as file: data = file.read()
    made = rncryptor.encrypt(data, password) if verb == "encrypt" else rncryptor.decrypt(data, password)
    with open(target, "wb") as file: file.write(made if isinstance(made, bytes) else made.encode())
    """

  @Test(
    .enabled(if: isInstalled, "needs PyPI's rncryptor, which .ci/setup installs"),
    arguments: ["plain", "with blank", "中文密码", "пароль"]
  )
  func messagesGoBothWays(_ password: String) throws {
    let scratch = Scratch()
    for count in [0, 1, 16, 100_000] {
      let content = String(repeating: "ä", count: count)
      try scratch.write(content, to: "note")
      for isOursFirst in [true, false] {
        try convert("encrypt", "note", to: "message", in: scratch, password, isOurs: isOursFirst)
        try convert("decrypt", "message", to: "back", in: scratch, password, isOurs: !isOursFirst)
        #expect(try Files.text(scratch.file("back")) == content, "\(count), \(isOursFirst)")
      }
    }
  }

  private func convert(
    _ verb: String,
    _ source: String,
    to target: String,
    in scratch: Scratch,
    _ password: String,
    isOurs: Bool
  ) throws {
    let (source, target) = (scratch.file(source), scratch.file(target))
    let run =
      if isOurs {
        try RunningProgram.run(
          Machine.authctl,
          ["rncrypt", verb, "--in", source, "--out", target, "--password-stdin"],
          input: password + "\n"
        )
      } else {
        try RunningProgram.run(
          Self.python,
          ["-c", Self.program, verb, source, target],
          environment: ["PASSWORD=\(password)", "PYTHONUTF8=1"]
        )
      }
    #expect(run.status == 0, "\(run.errors)")
  }
}
