import Testing

@testable import authctl

@Suite struct EnvironmentFileTests {
  /// The variables of a file, or why it is refused.
  private func variables(_ text: String) -> [String] {
    let bytes = Array(text.utf8)
    do {
      // SAFETY: the bytes live for the closure.
      return try unsafe bytes.withUnsafeBytes { buffer in
        try unsafe EnvironmentFile.variables(in: buffer, of: "f").map { variable in
          let name = unsafe String(decoding: buffer[variable.name], as: UTF8.self)
          let value = unsafe String(decoding: buffer[variable.value], as: UTF8.self)
          return "\(name)=\(value)"
        }
      }
    } catch let failure as Failure {
      return [failure.message]
    } catch {
      return ["\(error)"]
    }
  }

  @Test(
    arguments: [
      ("", []), ("\n\n  \n# A=1\n  # B\n", []), ("A=1", ["A=1"]), ("A=1\nB=2\n", ["A=1", "B=2"]),
      ("A=", ["A="]), ("A=b=c", ["A=b=c"]), (" A=1 \t\r\n", ["A=1"]), ("export A=1", ["A=1"]),
      ("A='x y '", ["A=x y "]), ("A=\"x\"", ["A=x"]), ("A='x\"", ["A='x\""]), ("A='", ["A='"]),
      ("A=''", ["A="]), ("A=$B `c` \\n # d", ["A=$B `c` \\n # d"]), ("_a9=ä", ["_a9=ä"]),
      ("export=1", ["export=1"]),
    ] as [(String, [String])]
  )
  func eachLineIsAVariableAsItStands(_ text: String, _ expected: [String]) {
    #expect(variables(text) == expected)
  }

  @Test(arguments: [
    "A", "=1", "9A=1", "A B=1", "A =1", "A-B=1", "Ä=1", "export", "export =1", ": A=1", "hunter2",
  ])
  func anyOtherLineIsRefusedWithItsNumberAndWithoutWhatIsInIt(_ line: String) {
    let said = variables("X=1\n\n\(line)\n")
    #expect(said.count == 1 && said[0].hasPrefix("Line 3 of f is not understood"), "\(said)")
    #expect(!said[0].contains("hunter2"))
  }

  @Test func aVariableIsGivenOnce() {
    #expect(variables("A=1\nB=2\nexport A=3")[0].hasPrefix("Line 3 of f gives a variable"))
  }

  @Test func aZeroByteIsRefused() {
    #expect(variables("A=1\nB=\u{0}2")[0].hasPrefix("Line 2 of f has a zero byte"))
    #expect(variables("A\u{0}=1")[0].hasPrefix("Line 1 of f is not understood"))
  }
}
