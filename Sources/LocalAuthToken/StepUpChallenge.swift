/// What a service asks for that did not believe a token enough: the value of its `WWW-Authenticate`
/// header, RFC 9470 section 3.
public struct StepUpChallenge: Hashable, Sendable {
  /// Bytes of a challenge, at most.
  public static let bytesMax = 4096
  /// Values of `acr_values`, at most.
  public static let valuesMax = 16

  /// What a success must be worth, the preferred first; empty where the service does not say.
  public let acrValues: [String]
  /// How many seconds ago it may have been proven, at most; nil where the service does not say.
  public let maxAge: Int64?

  /// The challenge in `text`, the value of a `WWW-Authenticate` header: among all that it lists, the one
  /// of scheme `Bearer` that asks for a better proof.
  public init(_ text: String) throws(ChallengeError) {
    guard text.utf8.count <= Self.bytesMax else { throw .tooLong }
    var scanner = ChallengeScanner(text)
    let challenges = try scanner.challenges()
    let bearers = challenges.filter { $0.scheme.lowercased() == "bearer" }
    guard !bearers.isEmpty else { throw .scheme(challenges[0].scheme) }
    let wanted = bearers.filter { $0.parameters["error"] == Self.error }
    guard let challenge = wanted.first else {
      let errors = bearers.compactMap { $0.parameters["error"] }
      throw errors.first.map { .otherError($0) } ?? .noError
    }
    guard wanted.count == 1 else { throw .several }
    acrValues = try challenge.parameters["acr_values"].map(Self.values) ?? []
    maxAge = try challenge.parameters["max_age"].map(Self.seconds)
  }

  /// What a challenge that asks for a better proof has as its `error`, RFC 9470 section 3.
  private static let error = "insufficient_user_authentication"

  private static func values(_ text: String) throws(ChallengeError) -> [String] {
    let values = text.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
    guard (1...valuesMax).contains(values.count), Set(values).count == values.count,
      values.allSatisfy({ value in
        (1...128).contains(value.utf8.count)
          && value.utf8.allSatisfy {
            (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\")
          }
      })
    else { throw .acrValues }
    return values
  }

  private static func seconds(_ text: String) throws(ChallengeError) -> Int64 {
    guard (1...10).contains(text.utf8.count), text.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
      let seconds = Int64(text)
    else { throw .maxAge }
    return seconds
  }
}

/// Why a challenge cannot be understood.
public enum ChallengeError: Error, Hashable, Sendable, CustomStringConvertible {
  case tooLong
  /// It does not follow RFC 9110 from this byte on.
  case syntax(offset: Int)
  /// No challenge of scheme `Bearer`; the first one's.
  case scheme(String)
  /// More than one challenge that asks for a better proof.
  case several
  /// A challenge has a parameter twice.
  case repeated(String)
  case noError
  /// It asks for something else than a better proof.
  case otherError(String)
  case acrValues
  case maxAge

  /// One line that says what is wrong.
  public var description: String {
    switch self {
    case .tooLong: "The challenge has more than \(StepUpChallenge.bytesMax) bytes."
    case .syntax(let offset): "The challenge is no challenge of HTTP from byte \(offset) on."
    case .scheme: "There is no challenge of the scheme Bearer."
    case .several: "More than one challenge asks for a better proof: give one of them."
    case .repeated(let name): "The challenge has '\(name)' twice."
    case .noError: "The challenge has no error: it does not ask for a better proof."
    case .otherError: "No challenge of Bearer has the error insufficient_user_authentication."
    case .acrValues: "The challenge's acr_values are no list of up to 16 values, each once."
    case .maxAge: "The challenge's max_age is no number of seconds."
    }
  }
}
