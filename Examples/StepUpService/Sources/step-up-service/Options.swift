import Foundation
import LocalAuthVerifier
import StepUp

/// What the command line says.
struct Options {
  static let usage = """
    usage: step-up-service --keys FILE [--port N] [--audience URL] [--acr VALUE]
                           [--max-age SECONDS] [--challenge-lifetime SECONDS] [--allow-simulated]

      --keys FILE   what `authctl jwks` printed on the machine whose person is to approve

    """

  var keys = ""
  var port: UInt16 = 8042
  var audience: String?
  var requirement = StepUpGate.Requirement()

  /// Nil for a command line that cannot be used.
  init?(_ words: [String]) {
    var words = words[...]
    while let word = words.popFirst() {
      if word == "--allow-simulated" {
        requirement.allowsSimulated = true
      } else {
        guard let value = words.popFirst(), take(word, value) else { return nil }
      }
    }
    guard !keys.isEmpty else { return nil }
  }

  private mutating func take(_ name: String, _ value: String) -> Bool {
    switch name {
    case "--keys": keys = value
    case "--audience": audience = value
    case "--acr": requirement.acrValues = [value]
    case "--port":
      guard let number = UInt16(value) else { return false }
      port = number
    case "--max-age":
      guard let seconds = Int64(value), (1...60).contains(seconds) else { return false }
      requirement.maxAge = seconds
    case "--challenge-lifetime":
      guard let seconds = Int64(value), (0...600).contains(seconds) else { return false }
      requirement.challengeLifetime = .seconds(seconds)
    default: return false
    }
    return true
  }

  /// The issuer whose keys are in the file.
  ///
  /// They are read once: start the service anew after `authctl jwks rotate`, within the six minutes for
  /// which both keys are published.
  func issuer() throws -> AssertionVerifier.Issuer {
    struct Published: Decodable {
      let issuer: String
    }
    let data = try Data(contentsOf: URL(fileURLWithPath: keys))
    return AssertionVerifier.Issuer(
      name: try JSONDecoder().decode(Published.self, from: data).issuer,
      keys: try JSONWebKeySet(json: String(decoding: data, as: UTF8.self))
    )
  }
}
