import Testing

@testable import authctl

@Suite struct SecretTemplateTests {
  /// What a template becomes when each reference is its number in brackets, or why it is refused.
  private func filled(_ text: String) -> String {
    filled(Array(text.utf8))
  }

  private func filled(_ bytes: [UInt8]) -> String {
    var references = ReferenceList()
    do {
      // SAFETY: the bytes live for the closure.
      return try unsafe bytes.withUnsafeBytes { buffer in
        let template = try unsafe SecretTemplate(buffer, &references) { "in line \($0)" }
        var result: [UInt8] = []
        for piece in template.pieces {
          switch piece {
          case .text(let range): unsafe result += buffer[range]
          case .secret(let number): result += Array("[\(number)]".utf8)
          }
        }
        return String(decoding: result, as: UTF8.self)
      }
    } catch let failure as Failure {
      return failure.message
    } catch {
      return "\(error)"
    }
  }

  @Test(arguments: [
    ("{{ localauth://a/b }}", "[0]"), ("{{localauth://a/b}}", "[0]"),
    ("x{{\tlocalauth://a \t}}y", "x[0]y"), ("{{{localauth://a}}}", "{[0]}"),
    ("{{ localauth://a }}{{ localauth://b }}{{localauth://a}}", "[0][1][0]"),
    ("{{ x }} {{ localauth://a }}", "{{ x }} [0]"), ("{{ {{ localauth://a }} }}", "{{ [0] }}"),
    ("\n\r\n{{ localauth://a }}\n", "\n\r\n[0]\n"),
  ])
  func referencesInBracesBecomeSecrets(_ text: String, _ expected: String) {
    #expect(filled(text) == expected)
  }

  @Test(arguments: [
    "", "plain", "localauth://a/b", "{ localauth://a }", "{{ localauth:/a }}", "{{ a | b }}", "{{",
    "{",
    "}}", "{{ {{ {{", "{{\nlocalauth://a }}", "{{ Localauth://a }}", "{{ env.localauth }}",
    "\u{0}\u{1}{{\u{0}",
  ])
  func everythingElseStaysAsItIs(_ text: String) { #expect(filled(text) == text) }

  @Test func bytesThatAreNoTextStayToo() {
    var references = ReferenceList()
    let bytes: [UInt8] = [0xFF, 0x7B, 0x7B, 0x80, 0x00, 0x7B]
    // SAFETY: the bytes live for the closure.
    unsafe bytes.withUnsafeBytes { buffer in
      let template = try? unsafe SecretTemplate(buffer, &references) { _ in "" }
      #expect(template?.pieces == [.text(0..<6)])
      #expect(template?.hasSecrets == false)
    }
  }

  @Test(arguments: [
    ("a\nb {{ localauth://a", "in line 2 is not closed"),
    ("{{ localauth://a }\n}}", "in line 1 is not closed"),
    ("{{ localauth://a\n}}", "in line 1 is not closed"),
    ("{{ localauth://a }} {{ localauth://b c }}", "in line 1 is not understood"),
    ("{{ localauth://}}", "in line 1 is not understood"),
    ("\n\n\n{{ localauth://a/b/c }}", "in line 4 is not understood"),
    ("{{ localauth://a | upper }}", "in line 1 is not understood"),
  ])
  func aReferenceWithAMistakeIsRefusedWithItsLine(_ text: String, _ part: String) {
    #expect(filled(text).contains(part))
  }

  @Test func manyBracesTakeNoLongerThanTheirNumber() {
    let braces = String(repeating: "{", count: 1 << 20)
    #expect(filled(braces) == braces)
    let half = String(repeating: "{{ ", count: 1 << 18)
    #expect(filled(half) == half)
    // Each reference of one line is looked at once, not once for each that comes before it.
    let references = String(repeating: "{{ localauth://a }}", count: 1 << 15)
    #expect(filled(references) == String(repeating: "[0]", count: 1 << 15))
  }
}
