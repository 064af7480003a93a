import Glibc
import LocalAuthTestSupport
import Testing

@testable import authctl

@Suite struct ArgumentFuzzTests {
  /// Words near the grammar, and some from outside it.
  private static let words = [
    "evaluate", "device", "create", "list", "check", "replay", "completion", "help", "--policy",
    "--policy=x", "--reason", "--timeout", "--timeout=5m", "--timeout=x", "--finger", "--json",
    "--home", "--", "-", "-h", "--help", "--version", "--non-interactive", "--passcode-fd=3",
    "--passcode-stdin", "--script=-", "--sensor=none", "", "=", "--=", "\u{1B}[2J", "a\nb", "é",
    "--\u{202E}x", "-\u{7}",
  ]

  @Test func anyLineGivesAnAnswerOfOnePrintableLine() {
    let seed = unsafe getenv("SEED").flatMap { UInt64(unsafe String(cString: $0)) }
    var generator = SeededGenerator(seed: seed ?? 0x5EED)
    for _ in 0..<5_000 {
      let count = Int.random(in: 0...6, using: &generator)
      let line = (0..<count).map { _ in Self.words.randomElement(using: &generator) ?? "" }
      do throws(UsageError) {
        _ = try Sample.line.parse(line)
      } catch {
        let printable = error.description.unicodeScalars.allSatisfy {
          $0.value >= 0x20 && $0.value != 0x7F && $0 != "\u{202E}"
        }
        #expect(printable, "seed \(generator.seed), line \(line)")
      }
    }
  }
}
