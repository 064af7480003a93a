/// The `WWW-Authenticate` challenge of a service that demands stronger authentication (RFC 9470
/// section 3).
public struct StepUpChallenge: Hashable, Sendable {
  /// The size limit of a challenge in bytes.
  public static let bytesMax = 4096
  /// The most values in `acr_values`.
  public static let valuesMax = 16

  /// The accepted `acr` values, the preferred first; empty if the service names none.
  public let acrValues: [String]
  /// The greatest age of the proof in seconds; nil if the service names none.
  public let maxAge: Int64?

  /// Parses the value of a `WWW-Authenticate` header and selects the `Bearer` challenge that
  /// demands stronger authentication.
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

  /// The `error` of a challenge that demands stronger authentication (RFC 9470 section 3).
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

/// Why a challenge cannot be used.
public enum ChallengeError: Error, Hashable, Sendable, CustomStringConvertible {
  case tooLong
  /// It violates RFC 9110 at this byte.
  case syntax(offset: Int)
  /// There is no `Bearer` challenge; the value is the scheme of the first one.
  case scheme(String)
  /// More than one challenge demands stronger authentication.
  case several
  /// A parameter occurs twice in a challenge.
  case repeated(String)
  case noError
  /// It demands something other than stronger authentication.
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
