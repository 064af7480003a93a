import Foundation
import LocalAuthVerifier

/// What `authctl jwks` prints: the operator gets it beforehand, never with a request.
struct Published: Decodable {
  let issuer: String
}

let file = try Data(contentsOf: URL(filePath: CommandLine.arguments[1]))
let verifier = AssertionVerifier([
  .init(
    name: try JSONDecoder().decode(Published.self, from: file).issuer,
    keys: try JSONWebKeySet(json: String(decoding: file, as: UTF8.self))
  )
])

var expected = AssertionVerifier.Expectation(
  audience: "https://pay.example",
  nonce: "n-8fd3",
  action: "pay 10 to ann"
)
// For this walk alone: a service of yours refuses simulated devices.
expected.allowsSimulated = true

// The second time it is refused: each assertion counts once.
for _ in 1...2 {
  do {
    let claims = try verifier.verify(CommandLine.arguments[2], expected)
    print("Paid. Proven by \(claims.amr), simulated: \(claims.isSimulated)")
  } catch {
    print("Refused. \(error)")
  }
}
