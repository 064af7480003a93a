import LocalAuthPKI
import Testing

@Suite struct PKIErrorTests {
  @Test func errorsSayWhatHappenedInOneLineEach() {
    let errors: [PKIError] = [
      .malformed, .unsupported, .unsuitable, .size, .undecryptable, .wrongPassphrase, .failed,
    ]
    let sentences = Set(errors.map(\.description))
    #expect(sentences.count == errors.count)
    #expect(sentences.allSatisfy { !$0.isEmpty && !$0.contains("\n") })
  }
}
