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

  /// The challenge in `text`, which begins with `Bearer`.
  public init(_ text: String) throws(ChallengeError) {
    guard text.utf8.count <= Self.bytesMax else { throw .tooLong }
    var scanner = ChallengeScanner(text)
    let scheme = try scanner.scheme()
    guard scheme.lowercased() == "bearer" else { throw .scheme(scheme) }
    var parameters: [String: String] = [:]
    while let (name, value) = try scanner.parameter() {
      // Names are compared without regard to case, RFC 9110 section 11.2.
      let name = name.lowercased()
      guard parameters.updateValue(value, forKey: name) == nil else { throw .repeated(name) }
    }
    guard let error = parameters["error"] else { throw .noError }
    guard error == "insufficient_user_authentication" else { throw .otherError(error) }
    acrValues = try parameters["acr_values"].map(Self.values) ?? []
    maxAge = try parameters["max_age"].map(Self.seconds)
  }

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
  /// Another scheme than `Bearer`.
  case scheme(String)
  /// More than one challenge.
  case several
  /// A parameter is there twice.
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
    case .scheme: "The challenge is not of the scheme Bearer."
    case .several: "There is more than one challenge: give the one that begins with Bearer."
    case .repeated(let name): "The challenge has '\(name)' twice."
    case .noError: "The challenge has no error: it does not ask for a better proof."
    case .otherError: "The challenge's error is not insufficient_user_authentication."
    case .acrValues: "The challenge's acr_values are no list of up to 16 values, each once."
    case .maxAge: "The challenge's max_age is no number of seconds."
    }
  }
}
