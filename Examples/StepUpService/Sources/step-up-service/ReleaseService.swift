import Foundation
import LoopbackHTTP
import StepUp

/// A service with one dangerous action: `DELETE /releases/42`.
final class ReleaseService {
  private struct Receipt: Encodable {
    let done: String
    let acr: String
    let amr: [String]
    let simulated: Bool
  }

  private struct Problem: Encodable {
    let error: String
  }

  private let gate: StepUpGate
  private var releases: Set<Int> = [41, 42, 43]

  init(behind gate: StepUpGate) { self.gate = gate }

  func answer(_ request: HTTPRequest) -> HTTPResponse {
    switch (request.method, request.path) {
    case ("GET", "/releases"): return .json(.ok, releases.sorted())
    case ("DELETE", _):
      guard let release = release(at: request.path) else {
        return .json(.notFound, Problem(error: "There is no such release."))
      }
      return delete(release, request)
    default: return .json(.methodNotAllowed, Problem(error: "GET /releases, DELETE /releases/N"))
    }
  }

  private func delete(_ release: Int, _ request: HTTPRequest) -> HTTPResponse {
    // From the number that is about to be deleted, not from the request's words.
    let action = "delete release \(release)"
    guard let assertion = request.bearer else {
      let challenge = gate.challenge(for: action)
      return .json(.unauthorized, challenge, challenge: challenge.header)
    }
    do throws(StepUpGate.Refusal) {
      let proof = try gate.admit(assertion, for: action)
      releases.remove(release)
      return .json(
        .ok,
        Receipt(done: action, acr: proof.acr, amr: proof.amr, simulated: proof.isSimulated)
      )
    } catch {
      return .json(.forbidden, Problem(error: "\(error)"))
    }
  }

  /// The release that a path names in its one spelling: `/releases/042` is none.
  private func release(at path: String) -> Int? {
    guard path.hasPrefix("/releases/"), let number = Int(path.dropFirst(10)),
      path == "/releases/\(number)", releases.contains(number)
    else { return nil }
    return number
  }
}

extension HTTPResponse {
  fileprivate static func json(
    _ status: Status,
    _ value: some Encodable,
    challenge: String? = nil
  ) -> HTTPResponse {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    let body = (try? encoder.encode(value)) ?? Data("{}".utf8)
    return HTTPResponse(status, String(decoding: body, as: UTF8.self) + "\n", challenge: challenge)
  }
}
