import Glibc
import LocalAuthCore
import LocalAuthJSON
import LocalAuthUnix
import Testing

@testable import authctl

/// `authctl rncrypt` with the two keys of a message instead of a password.
@Suite struct RNCryptKeysTests {
  private let scratch = Scratch()
  private var output: String { scratch.path + "/out" }

  /// A message that RNCryptor publishes with its format, and the keys that open it:
  /// https://github.com/RNCryptor/RNCryptor-Spec, vectors/v3/key.
  struct Vector: Sendable {
    let keys: [String]
    let plaintext: String
    let message: String

    static let published: [Self] = [
      Self(
        keys: [
          "0000000000000000000000000000000000000000000000000000000000000000",
          "0000000000000000000000000000000000000000000000000000000000000000",
        ],
        plaintext: "",
        message: "0300000000000000000000000000000000001f788fe6d86c317549697fbf0c07fa436384ac0e"
          + "f35b860b2ddb2aba2fff816b1fb3a9c180f7b43650aec0d2b5f88e33"
      ),
      Self(
        keys: [
          "000102030405060708090a0b0c0d0e0f000102030405060708090a0b0c0d0e0f",
          "0102030405060708090a0b0c0d0e0f000102030405060708090a0b0c0d0e0f00",
        ],
        plaintext: "01",
        message: "030002030405060708090a0b0c0d0e0f0001981b22e7a6448118d695bd654f72e9d6ed75ec14"
          + "ae2aa067eed2a98a56e0993dfe22ab5887b3f6e3cdd40767f5195eb5"
      ),
      Self(
        keys: [
          "0102030405060708090a0b0c0d0e0f000102030405060708090a0b0c0d0e0f00",
          "02030405060708090a0b0c0d0e0f000102030405060708090a0b0c0d0e0f0001",
        ],
        plaintext: "000102030405060708090a0b0c0d0e0f",
        message: "0300030405060708090a0b0c0d0e0f000102d2b177d618781829f56453f739a2d4f729f92b1a"
          + "9c6c5083786474e16a22c60f92b073454f7976cdda043e09b11766de05ffe05bc1dca9522ea6"
          + "6e64ad25bbbc"
      ),
    ]
  }

  private static let vector = Vector.published[1]

  private func file(_ hexadecimal: String, _ name: String) throws -> String {
    let bytes = try #require([UInt8](hexadecimal: hexadecimal))
    let path = scratch.write("", to: name)
    let file = FileDescriptor(owning: unsafe open(path, O_WRONLY | O_TRUNC | O_CLOEXEC))
    #expect(Output.write(bytes, to: file.rawValue))
    return path
  }

  private func content(_ path: String) throws -> [UInt8] {
    let file = FileDescriptor(owning: unsafe open(path, O_RDONLY | O_CLOEXEC))
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = unsafe read(file.rawValue, &bytes, bytes.count)
    return Array(bytes.prefix(max(count, 0)))
  }

  private func run(_ verb: String, _ words: [String], input: String = "") throws -> ProgramRun {
    try ProgramRun(["--json", "rncrypt", verb, "--out", output] + words, input: input)
  }

  // MARK: What is published

  @Test(arguments: Vector.published.indices)
  func publishedMessageOpensForItsKeys(_ index: Int) throws {
    let vector = Vector.published[index]
    let message = ["--in", try file(vector.message, "message")]
    let plaintext = try #require([UInt8](hexadecimal: vector.plaintext))
    let binary = try file(vector.keys.joined(), "keys")
    let digits = scratch.write(vector.keys.joined(separator: "\n") + "\n", to: "digits")
    for words in [["--keys", binary], ["--keys", digits]] {
      let run = try run("decrypt", message + words)
      #expect(run.status == 0, "\(run.output)")
      #expect(try content(output) == plaintext)
    }
    let given = try run(
      "decrypt",
      message + ["--keys-fd", "3"],
      input: vector.keys.joined(separator: " ").uppercased()
    )
    #expect(given.status == 0, "\(given.output)")
    #expect(try content(output) == plaintext)
  }

  @Test func whatIsEncryptedWithKeysOpensForThemAlone() throws {
    let plain = scratch.write("a note", to: "plain")
    let keys = ["--keys", try file(Self.vector.keys.joined(), "keys")]
    let message = scratch.path + "/message"
    let made = try ProgramRun(
      ["--json", "rncrypt", "encrypt", "--in", plain, "--out", message] + keys
    )
    #expect(made.status == 0, "\(made.output)")
    let bytes = try content(message)
    #expect(bytes.count == 66 && bytes.starts(with: [3, 0]))
    #expect(try run("decrypt", ["--in", message] + keys).status == 0)
    #expect(try content(output) == Array("a note".utf8))
    let other = ["--keys", try file(Self.vector.keys.reversed().joined(), "other")]
    let refused = try run("decrypt", ["--in", message] + other)
    #expect(refused.status == 1)
    #expect(try refused.object["message"]?.string?.contains("The keys are wrong, or") == true)
    #expect(try content(output) == Array("a note".utf8), "what was there is left")
  }

  // MARK: What cannot be done

  @Test func whatIsNoKeyIsRefusedAndNothingIsWritten() throws {
    let message = ["--in", try file(Self.vector.message, "message")]
    let (one, both) = (Self.vector.keys[0], Self.vector.keys.joined())
    // One key in digits has as many bytes as two keys.
    let texts = ["", one, String(both.dropLast()), both + "00", both + "x", "not a key at all"]
    for text in texts {
      for verb in ["encrypt", "decrypt"] {
        let run = try run(verb, message + ["--keys", scratch.write(text, to: "keys")])
        #expect(run.status == 2, "\(text)")
        #expect(try run.object["message"]?.string?.contains("The keys are 64 bytes") == true)
        #expect(!(run.output + run.error).contains(one))
      }
    }
    for digits in [String(both.dropLast(2)), both + "ff"] {
      let run = try run("decrypt", message + ["--keys", try file(digits, "keys")])
      #expect(run.status == 2, "\(digits)")
    }
    let long = try run(
      "decrypt",
      message + ["--keys-fd", "3"],
      input: String(repeating: "0", count: 2000)
    )
    #expect(long.status == 2 && long.output.contains("1024 bytes"), "\(long.output)")
    let absent = try run("decrypt", message + ["--keys", scratch.path + "/absent"])
    #expect(absent.status == 2 && absent.output.contains("key file cannot be opened"))
    #expect(unsafe access(output, F_OK) != 0)
  }

  @Test func aMessageOfTheOtherKindIsNamed() throws {
    let keys = ["--keys", try file(Self.vector.keys.joined(), "keys")]
    let password = try file("0301" + String(repeating: "00", count: 80), "password")
    let run = try run("decrypt", ["--in", password] + keys)
    #expect(run.status == 2)
    #expect(try run.object["message"]?.string?.contains("A password opens this message") == true)
  }

  @Test func whatCannotBeMeantIsAUsageError() throws {
    let keys = try file(Self.vector.keys.joined(), "keys")
    let plain = scratch.write("a note", to: "plain")
    let cases: [([String], String)] = [
      (["--out", output, "--keys-fd", "0"], "Standard input is the keys"),
      (["--in", plain, "--out", keys, "--keys", keys], "--keys and --out are one file"),
      (["--in", plain, "--out", output, "--keys", keys, "--password-stdin"], "exclude"),
      (["--in", plain, "--out", output, "--keys", keys, "--keys-fd", "3"], "exclude"),
      (["--in", plain, "--out", output, "--keys-fd", "77"], "cannot be read"),
    ]
    for (words, message) in cases {
      let run = try ProgramRun(["--json", "rncrypt", "encrypt"] + words)
      #expect(run.status == 2, "\(words)")
      #expect((run.output + run.error).contains(message), "\(run.output)\(run.error)")
    }
    #expect(try content(keys).count == 64)
  }
}
