import Foundation
import FoundationNetworking
import LocalAuth

// usage: step-up-client [--device NAME] METHOD URL
//
// Sends a request. Where the service wants the person at this machine to approve it, asks that person,
// on this terminal, and sends the request again with what was signed.

/// What the service says besides its challenge.
struct Demand: Decodable {
  let action: String
  let audience: String
  let nonce: String
}

/// Why there is no answer, in words.
struct Failure: Error {
  let message: String

  init(_ message: String) { self.message = message }
}

/// The policies whose success is worth what a service may ask for.
let policies: [String: PolicyName] = [
  "urn:localauth:acr:device-owner": .deviceOwner,
  "urn:localauth:acr:device-owner-parallel": .deviceOwnerParallel,
  "urn:localauth:acr:biometrics": .biometrics,
  "urn:localauth:acr:passcode": .passcode,
  "urn:localauth:acr:biometrics-and-passcode": .biometricsAndPasscode,
]

typealias Answer = (body: Data, response: HTTPURLResponse)

func send(_ method: String, _ url: URL, proof: String? = nil) async throws -> Answer {
  var request = URLRequest(url: url)
  request.httpMethod = method
  if let proof { request.setValue("Bearer \(proof)", forHTTPHeaderField: "Authorization") }
  let (body, response) = try await URLSession.shared.data(for: request)
  guard let response = response as? HTTPURLResponse else { throw Failure("That is not HTTP.") }
  return (body, response)
}

/// Has the person approve what the service demands, and returns what was signed.
func approve(_ body: Data, _ response: HTTPURLResponse, _ device: Device) async throws -> String {
  let header = response.value(forHTTPHeaderField: "WWW-Authenticate") ?? ""
  let challenge = try StepUpChallenge(header)
  let demand = try JSONDecoder().decode(Demand.self, from: body)
  // An assertion is worth something to its audience. A service that could name another one would have
  // us sign what it then shows there.
  guard let url = response.url, demand.audience == origin(of: url) else {
    throw Failure("The service wants an assertion for somebody else: \(demand.audience)")
  }
  guard let policy = policy(for: challenge) else {
    throw Failure("No policy is worth what the service asks for: \(challenge.acrValues)")
  }
  guard let assertion = AssertionRequest(audience: demand.audience, nonce: demand.nonce) else {
    throw Failure("The service's audience or nonce cannot be signed.")
  }
  let evaluation = try await AuthContext(device: device).evaluate(
    policy,
    reason: "a request of step-up-client",
    action: demand.action,
    assertion: assertion
  )
  guard let proof = evaluation.assertion else { throw Failure("Nothing was signed.") }
  return proof
}

/// The policy that the service likes best of those that are worth what it asks for.
func policy(for challenge: StepUpChallenge) -> PolicyName? {
  guard !challenge.acrValues.isEmpty else { return .deviceOwner }
  return challenge.acrValues.lazy.compactMap { policies[$0] }.first
}

func origin(of url: URL) -> String {
  "\(url.scheme ?? "")://\(url.host ?? "")" + (url.port.map { ":\($0)" } ?? "")
}

func run(_ words: [String]) async throws -> Int32 {
  var words = words
  var device = Device.default
  if words.first == "--device", words.count > 1 {
    device = Device(words[1])
    words.removeFirst(2)
  }
  guard words.count == 2, let url = URL(string: words[1]) else {
    throw Failure("usage: step-up-client [--device NAME] METHOD URL")
  }
  var (body, response) = try await send(words[0], url)
  if response.statusCode == 401 {
    let proof = try await approve(body, response, device)
    (body, response) = try await send(words[0], url, proof: proof)
  }
  FileHandle.standardOutput.write(body)
  return (200..<300).contains(response.statusCode) ? 0 : 1
}

do {
  exit(try await run(Array(CommandLine.arguments.dropFirst())))
} catch {
  let message = (error as? Failure)?.message ?? "\(error)"
  FileHandle.standardError.write(Data("step-up-client: \(message)\n".utf8))
  // The exit statuses of `authctl`, so that "no" and "broken" stay apart.
  exit((error as? AuthError)?.outcome.exit ?? 70)
}
