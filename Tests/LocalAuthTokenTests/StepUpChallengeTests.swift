import LocalAuthTestSupport
import Testing

@testable import LocalAuthToken

private let err = "error=insufficient_user_authentication"

@Suite struct StepUpChallengeTests {
  private func failure(_ text: String) -> ChallengeError? {
    do throws(ChallengeError) {
      _ = try StepUpChallenge(text)
      return nil
    } catch { return error }
  }

  @Test func readsTheExamplesOfRFC9470() throws {
    let worth = try StepUpChallenge(
      "Bearer error=\"insufficient_user_authentication\", "
        + "error_description=\"A different authentication level is required\", "
        + "acr_values=\"myACR\""
    )
    #expect(worth.acrValues == ["myACR"])
    #expect(worth.maxAge == nil)
    let age = try StepUpChallenge(
      "Bearer error=\"insufficient_user_authentication\", "
        + "error_description=\"More recent authentication is required\", max_age=\"5\""
    )
    #expect(age.acrValues == [])
    #expect(age.maxAge == 5)
  }

  @Test(arguments: [
    "bearer \(err), acr_values=\"a b\",max_age=0",
    "BEARER  ACR_VALUES=\"a b\" ,\(err), max_age=\"0\"",
    "Bearer ,,\(err),\tacr_values = \"a b\" , max_age = 0 ,",
    "Bearer max_age=0,acr_values=\"\\a b\",\(err)",
    "Bearer realm=\"x, y=\\\"z\\\"\", \(err), acr_values=\"a b\", max_age=0",
  ])
  func readsEachSpellingOfRFC9110(_ text: String) throws {
    let challenge = try StepUpChallenge(text)
    #expect(challenge.acrValues == ["a", "b"])
    #expect(challenge.maxAge == 0)
  }

  /// RFC 9110 section 11.6.1: a header may list several, and one may be in the middle.
  @Test(arguments: [
    "Basic realm=\"a, Bearer b=c\", Bearer \(err), acr_values=\"a b\", max_age=0",
    "Bearer \(err), acr_values=\"a b\", max_age=0, Basic realm=\"x\", charset=UTF-8",
    "Negotiate, Bearer \(err), acr_values=\"a b\", max_age=0, NTLM",
    "Negotiate YIIJvwYGKwYBBQUCoIIJszCCCa+gJDAi==, Bearer \(err), acr_values=\"a b\", max_age=0",
    "Bearer realm=x, Bearer \(err), acr_values=\"a b\",max_age=0, Bearer error=invalid_token",
    "Newauth realm=\"apps\", type=1, title=\"Login to \\\"apps\\\"\" ,, Bearer \(err),"
      + "acr_values=\"a b\", max_age=0 ,",
    " , Bearer \(err), acr_values=\"a b\", max_age=0 ",
    "DPoP algs=\"ES256\", BEARER max_age=0, acr_values=\"a b\", \(err)",
  ])
  func picksTheOneThatAsksForABetterProof(_ text: String) throws {
    let challenge = try StepUpChallenge(text)
    #expect(challenge.acrValues == ["a", "b"])
    #expect(challenge.maxAge == 0)
  }

  @Test(arguments: [
    ("Basic \(err)", ChallengeError.scheme("Basic")), ("DPoP \(err)", .scheme("DPoP")),
    ("Bearer realm=x", .noError), ("Bearer error=invalid_token", .otherError("invalid_token")),
    ("Bearer \(err), \(err)", .repeated("error")), ("Bearer \(err), ERROR=x", .repeated("error")),
    ("Bearer \(err), Bearer \(err)", .several), ("Bearer", .noError), ("Bearer ", .noError),
    ("Bearer error=", .noError), ("Basic a=, Bearer", .noError),
    ("Bearer error, Basic a", .noError),
    ("Basic, DPoP", .scheme("Basic")),
    ("Basic a=1, A=2, Bearer \(err)", .repeated("a")),
    ("Bearer realm=x, Bearer error=invalid_token", .otherError("invalid_token")),
    ("Bearer \(err), acr_values=\"\"", .acrValues),
    ("Bearer \(err), acr_values=\"a  b\"", .acrValues),
    ("Bearer \(err), acr_values=\"a a\"", .acrValues),
    ("Bearer \(err), acr_values=\"a\tb\"", .acrValues),
    ("Bearer \(err), acr_values=\"é\"", .acrValues),
    ("Bearer \(err), max_age=-1", .maxAge), ("Bearer \(err), max_age=\"\"", .maxAge),
    ("Bearer \(err), max_age=1.5", .maxAge), ("Bearer \(err), max_age=99999999999", .maxAge),
  ])
  func refusesWhatItCannotMeet(_ text: String, _ expected: ChallengeError) {
    #expect(failure(text) == expected)
  }

  @Test(arguments: [
    "", " ", ",", "Bearer=\(err)", "=\(err)", "error=x, Bearer \(err)", "Bearer \(err);x=y",
    "Basic a==, b=c, Bearer \(err)", "Basic a b, Bearer \(err)", "Basic a=b c=d",
    "Basic a===b, Bearer \(err)", "Basic @, Bearer \(err)", "Bearer\t\(err), x", "Bearer \(err), @",
    "Bearer \(err), acr_values=", "Bearer Basic realm=x, \(err)",
    "Bearer error=\"x", "Bearer error=\"x\"y", "Bearer error=\"x\\", "Bearer =x", "Bearer err@or=x",
    "Bearer error=\"a\u{7F}\"", "Bearer error=\"a\nb\"", "Bearer ,,,,,,\(err)", "Bearer: \(err)",
    "Bearer,\(err)", "Bearer\t,\(err)", "Bearer\t ,\(err)", "Basic a=b, Bearer,\(err)",
  ])
  func refusesWhatIsNoChallenge(_ text: String) {
    guard case .syntax? = failure(text) else {
      Issue.record("\(String(describing: failure(text)))")
      return
    }
  }

  @Test func refusesGiantOnes() {
    #expect(failure("Bearer " + String(repeating: "x", count: 5000)) == .tooLong)
    let many = (0..<17).map { "v\($0)" }.joined(separator: " ")
    #expect(failure("Bearer \(err), acr_values=\"\(many)\"") == .acrValues)
  }

  @Test func endsForWhateverChanceMade() {
    var random = SeededGenerator.ofThisRun
    let pieces = [
      "Bearer", " ", ",", "=", "\"", "\\", "error", "insufficient_user_authentication",
      "acr_values", "max_age", "a", "0", "\t", "é", ";", "\u{0}",
    ]
    for _ in 0..<20_000 {
      let count = Int.random(in: 0...24, using: &random)
      let text = (0..<count).compactMap { _ in pieces.randomElement(using: &random) }.joined()
      guard let challenge = try? StepUpChallenge(text) else { continue }
      #expect(text.lowercased().contains("bearer "))
      #expect(challenge.acrValues.allSatisfy { !$0.isEmpty })
    }
  }
}
