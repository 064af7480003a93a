import LocalAuthClient
import LocalAuthCore
import LocalAuthToken
import LocalAuthWire

/// The options of `evaluate` for services that verify a success themselves.
enum AssertionOptions {
  static let assertion = Flag("assertion", help: "sign the success and print it")
  static let audience = Option<AssertionWord?>(
    "audience",
    "TEXT",
    help: "for whom the success is signed"
  )
  static let nonce = Option<AssertionWord?>(
    "nonce",
    "TEXT",
    help: "the audience's own word for this request"
  )
  static let challenge = Option<String?>(
    "challenge",
    "TEXT",
    help: "a service's WWW-Authenticate header, which says what it wants proven"
  )

  static let declarations = [
    assertion.declaration, audience.declaration, nonce.declaration, challenge.declaration,
  ]

  /// Returns what to sign; nil for nothing.
  static func wish(
    _ arguments: ParsedArguments
  ) throws(Failure) -> AuthenticationMessages.AssertionWish? {
    let (audience, nonce) = (arguments[audience], arguments[nonce])
    guard arguments[assertion] else {
      guard audience == nil, nonce == nil, arguments[challenge] == nil else {
        throw Failure(.usage, "--audience, --nonce and --challenge are for --assertion.")
      }
      return nil
    }
    guard let audience, let nonce else {
      throw Failure(
        .usage,
        "An assertion is for one request of one service: give --audience and --nonce, which it says."
      )
    }
    var wish = AuthenticationMessages.AssertionWish()
    wish.audience = audience.text
    wish.nonce = nonce.text
    return wish
  }

  /// Returns the maximum age of a proof: that of `--max-age`, limited by the challenge.
  static func maxAge(_ arguments: ParsedArguments) throws(Failure) -> Int64? {
    guard let wished = arguments[EvaluateVerb.maxAge]?.seconds else { return nil }
    guard let text = arguments[challenge] else { return wished }
    do throws(ChallengeError) {
      return min(wished, try StepUpChallenge(text).maxAge ?? wished)
    } catch {
      throw Failure(.usage, "\(error)")
    }
  }

  /// Returns the policy to evaluate: the named one, or one that satisfies the challenge.
  static func policy(_ context: VerbContext) throws(Failure) -> String {
    let named = context.arguments[EvaluateVerb.policy]
    guard let text = context.arguments[challenge] else {
      guard let named else { throw Failure(.usage, "Say which policy: --policy NAME.") }
      return named
    }
    let challenge: StepUpChallenge
    do throws(ChallengeError) {
      challenge = try StepUpChallenge(text)
    } catch {
      throw Failure(.usage, "\(error)")
    }
    guard !challenge.acrValues.isEmpty else { return named ?? "device-owner" }
    let reply = try context.call(Methods.listPolicies, ServiceMessages.Empty())
    return try policy(for: challenge, among: reply.policies, named: named)
  }

  /// Returns the policy with the ACR that `challenge` prefers; users' own policies do not count for
  /// others.
  static func policy(
    for challenge: StepUpChallenge,
    among policies: [PolicyMessages.PolicyLine],
    named: String?
  ) throws(Failure) -> String {
    let candidates = policies.filter {
      $0.usable && $0.origin != "user" && $0.name == named ?? $0.name
    }
    for value in challenge.acrValues {
      if let found = candidates.first(where: { $0.acr == value }) { return found.name }
    }
    let wanted = challenge.acrValues.joined(separator: " ")
    let which = named.map { "The policy '\($0)' is" } ?? "No policy is"
    throw Failure(.badConfiguration, "\(which) worth what the service asks for: \(wanted)")
  }
}

/// An audience or a nonce.
struct AssertionWord: ExpressibleByArgument {
  let text: String

  init?(argument: String) {
    guard AssertionRequest.isValid(argument) else { return nil }
    text = argument
  }

  static var expectation: String {
    "1 to \(AssertionRequest.bytesMax) visible ASCII characters"
  }
}
