import Glibc
import LocalAuthSecret
import LocalAuthTestSupport
import Testing

@testable import LocalAuthTerminal

@Suite struct SecretInputTests {
  /// A pipe that holds `bytes` and has ended.
  private func pipe(_ bytes: [UInt8]) throws -> Int32 {
    var ends: [Int32] = [0, 0]
    // SAFETY: both arrays live for their calls.
    guard unsafe Glibc.pipe(&ends) == 0 else { throw PseudoTerminal.Unavailable() }
    _ = unsafe write(ends[1], bytes, bytes.count)
    close(ends[1])
    return ends[0]
  }

  private func read(_ input: String, limit: Int = 512) throws -> String {
    let descriptor = try pipe(Array(input.utf8))
    defer { close(descriptor) }
    return text(of: try SecretInput.read(fileDescriptor: descriptor, limit: limit))
  }

  @Test(arguments: [
    ("1234\n", "1234"), ("1234", "1234"), ("1234\r\n", "1234"), ("12 34 \nrest\n", "12 34 "),
    ("\n", ""), ("\r\n", ""), ("a\rb\n", "a\rb"), ("a\r\r\n", "a\r"), ("é€\n", "é€"),
  ])
  func readsOneLine(input: String, secret: String) throws {
    #expect(try read(input) == secret)
  }

  @Test func leavesTheNextLineForTheNextCall() throws {
    let descriptor = try pipe(Array("old\nnew\nrest".utf8))
    defer { close(descriptor) }
    for expected in ["old", "new", "rest"] {
      #expect(text(of: try SecretInput.read(fileDescriptor: descriptor)) == expected)
    }
    #expect(throws: SecretInputError.endOfInput) {
      _ = try SecretInput.read(fileDescriptor: descriptor).count
    }
  }

  @Test func refusesAnEmptyInput() {
    #expect(throws: SecretInputError.endOfInput) { try read("") }
  }

  @Test func takesUpToTheLimitAndNoMore() throws {
    for ending in ["", "\n", "\r\n"] {
      #expect(try read("12345678" + ending, limit: 8) == "12345678")
      #expect(throws: SecretInputError.tooLong(limit: 8)) {
        try read("123456789" + ending, limit: 8)
      }
    }
    #expect(throws: SecretInputError.tooLong(limit: 512)) {
      try read(String(repeating: "x", count: 100_000).prefix(60_000).description)
    }
  }

  @Test func refusesAZeroByte() {
    #expect(throws: SecretInputError.containsZeroByte) { try read("12\u{0}34\n") }
  }

  @Test func keepsBytesThatAreNoText() throws {
    let descriptor = try pipe([0xFF, 0x80, 0x0A])
    defer { close(descriptor) }
    let secret = try SecretInput.read(fileDescriptor: descriptor)
    // SAFETY: the bytes are copied within the call.
    let bytes = unsafe secret.withUnsafeBytes { unsafe Array($0) }
    #expect(bytes == [0xFF, 0x80])
  }

  @Test func refusesADescriptorThatCannotBeRead() {
    #expect(throws: SecretInputError.unreadable(errno: EBADF)) {
      _ = try SecretInput.read(fileDescriptor: -1).count
    }
  }

  @Test func refusesATerminal() throws {
    let terminal = try PseudoTerminal()
    let descriptor = unsafe open(terminal.path, O_RDWR | O_NOCTTY)
    defer { close(descriptor) }
    terminal.type("1234\n")
    #expect(throws: SecretInputError.inputIsTerminal) {
      _ = try SecretInput.read(fileDescriptor: descriptor).count
    }
  }

  @Test func saysWhatToDo() {
    let errors: [SecretInputError] = [
      .cancelled, .interrupted(.interrupt), .entriesDiffer, .endOfInput, .tooLong(limit: 512),
      .containsZeroByte, .inputIsTerminal, .unreadable(errno: EBADF), .terminal(.noTerminal),
      .terminal(.hungUp), .terminal(.promptIsOpen), .terminal(.failed(errno: EIO)),
    ]
    for error in errors {
      #expect(!error.description.isEmpty)
      #expect(!error.description.contains("\n"))
    }
    #expect(
      SecretInputError.unreadable(errno: EBADF).description
        == "the secret cannot be read: Bad file descriptor; give an open descriptor"
    )
  }
}
