public import LocalAuthCore
import LocalAuthJSON

/// What the administrator says of a program that judges one kind of evidence.
///
/// What the program itself says can be less, never more: kind, `amr` and whether its proof is real
/// come from here.
public struct AuthenticatorManifest: Hashable, Sendable {
  /// Its name, which is also that of its file.
  public var name: String
  /// One sentence on what it is for.
  public var summary: String
  /// The absolute path of the program.
  public var program: String
  /// Its arguments.
  public var arguments: [String]
  /// What kind of evidence it judges.
  public var kind: AuthenticatorKind
  /// What it asks of the person.
  public var asking: AuthenticatorDescription.Asking
  /// What a prompt says to the person, one sentence.
  public var instruction: String?
  /// The authentication method reference of RFC 8176 that its proof is worth.
  public var reference: String?
  /// Whether its proof is simulated; such an authenticator belongs to simulated devices, any other
  /// one to the user's own machine.
  public var isSimulated: Bool
  /// Whether it may say that it reports when it has something to judge.
  public var reportsPresence: Bool
  /// How strong its proof is; counts for biometry only.
  public var strength: SensorStrength
  /// Whether nobody but this service can enrol at it.
  public var isExclusive: Bool

  /// The description that prompts, results and the audit show.
  ///
  /// `reportsPresence` is what the program itself said, which counts only where the manifest
  /// allows it. A program that asks for a text has nothing to judge before the answer.
  public func description(reportsPresence: Bool) -> AuthenticatorDescription {
    AuthenticatorDescription(
      name: name,
      kind: kind,
      judging: .byItself,
      asking: asking,
      instruction: instruction ?? summary,
      method: kind.name,
      reference: reference,
      isSimulated: isSimulated,
      reportsPresence: asking == .text || self.reportsPresence && reportsPresence,
      strength: kind.evidence == .biometry ? strength : nil
    )
  }

  /// What a program says of itself against its manifest, after "the program"; nil if it may.
  public func contradiction(
    kind: String,
    asks: String,
    reportsPresence: Bool,
    isSimulated: Bool,
    isExclusive: Bool
  ) -> String? {
    if kind != self.kind.name { return "says that it judges another kind of evidence" }
    if asks != asking.rawValue { return "says that it asks the person for something else" }
    // The manifest decides; but what calls itself simulated is never real.
    if isSimulated, !self.isSimulated {
      return "says that its proof is simulated, and its manifest that it is real"
    }
    if reportsPresence, !self.reportsPresence, asking != .text {
      return "says that it reports presence, which its manifest does not allow"
    }
    if isExclusive, !self.isExclusive {
      return "says that nobody else can enrol at it, which its manifest does not allow"
    }
    return nil
  }
}

/// Reads the manifest of an authenticator.
public enum AuthenticatorFile {
  static let keys = [
    "$schema", "name", "summary", "source", "program", "arguments", "kind", "asks", "instruction",
    "amr", "simulated", "presence", "strength", "exclusive",
  ]
  static let argumentsLimit = 16
  static let argumentRule = "1 to 255 printable ASCII characters"
  static let referenceRule = "1 to 32 of a-z, 0-9 and '-'"

  /// Parses the manifest in `bytes`, which may claim one of `kinds`; `file` is its path, whose last
  /// component is `NAME.json`.
  public static func parse(
    _ bytes: [UInt8],
    file: String,
    kinds: [AuthenticatorKind] = AuthenticatorKind.outside
  ) throws(PolicyError) -> AuthenticatorManifest {
    let document = try PolicyDocument(bytes, file: file)
    let object = try document.object(document.root, named: "authenticator", keys: keys)
    _ = try object.text("$schema", limit: 500)
    _ = try object.text("source", limit: 500)
    let name = try object.required("name", try object.name("name"))
    let named = file.split(separator: "/").last.map(String.init) ?? file
    guard named == "\(name).json" else {
      throw document.error(
        .notAllowed(
          key: "name",
          found: name,
          allowed: "the name of the file without .json"
        ),
        at: object.value["name"] ?? object.value
      )
    }
    let kind = try object.required("kind", try object.kind(among: kinds))
    for key in ["strength", "exclusive"] where kind.evidence != .biometry {
      guard let value = object.find(key) else { continue }
      throw document.error(
        .notAllowed(key: key, found: kind.name, allowed: "that key for fingerprints alone"),
        at: value
      )
    }
    return AuthenticatorManifest(
      name: name,
      summary: try object.required("summary", try object.text("summary", limit: 200)),
      program: try object.required("program", try object.program()),
      arguments: try object.arguments(),
      kind: kind,
      asking: try object.required(
        "asks",
        try object.choice("asks", of: AuthenticatorDescription.Asking.self)
      ),
      instruction: try object.text("instruction", limit: 100),
      reference: try object.reference(),
      isSimulated: try object.flag("simulated") ?? false,
      reportsPresence: try object.flag("presence") ?? false,
      strength: try object.choice("strength", of: SensorStrength.self) ?? .weak,
      isExclusive: try object.flag("exclusive") ?? false
    )
  }
}

extension PolicyObject {
  fileprivate func program() throws(PolicyError) -> String? {
    try matching("program", PathRule.rule, PathRule.isAbsolute)
  }

  fileprivate func reference() throws(PolicyError) -> String? {
    try matching("amr", AuthenticatorFile.referenceRule) { text in
      text.utf8.count <= 32 && PolicyText.isName(text)
    }
  }

  fileprivate func kind(
    among kinds: [AuthenticatorKind]
  ) throws(PolicyError) -> AuthenticatorKind? {
    let rule = "one of \(PolicyText.list(kinds.map(\.name)))"
    let name = try matching("kind", rule) { name in kinds.contains { $0.name == name } }
    return kinds.first { $0.name == name }
  }

  fileprivate func arguments() throws(PolicyError) -> [String] {
    guard let list = find("arguments") else { return [] }
    guard case .array(let elements) = list.content else {
      throw document.error(.wrongType(key: "arguments", allowed: "a list of texts"), at: list)
    }
    let limit = AuthenticatorFile.argumentsLimit
    guard elements.count <= limit else {
      throw document.error(.tooMany("arguments", limit: limit), at: list)
    }
    var arguments: [String] = []
    for element in elements {
      arguments.append(
        try matching(element, "arguments", AuthenticatorFile.argumentRule) { text in
          (1...255).contains(text.utf8.count) && text.utf8.allSatisfy { (0x20...0x7E).contains($0) }
        }
      )
    }
    return arguments
  }
}
