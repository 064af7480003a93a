import LocalAuthCore

/// Reads `administration.json`.
public enum AdministrationFile {
  /// The largest file to read, in bytes.
  public static let sizeLimit = PolicyFile.sizeLimit

  static let keys = ["$schema", "summary"] + AdministrativeAction.allCases.map(\.rawValue)

  /// Parses the rules in `bytes`; `file` appears only in errors.
  public static func parse(
    _ bytes: [UInt8],
    file: String
  ) throws(PolicyError) -> AdministrationRules {
    let document = try PolicyDocument(bytes, file: file)
    let object = try document.object(document.root, named: "administration", keys: keys)
    _ = try object.text("$schema", limit: 500)
    _ = try object.text("summary", limit: 500)
    var holders: [AdministrativeAction: AdministrationRules.Who] = [:]
    for action in AdministrativeAction.allCases {
      holders[action] = try object.choice(action.rawValue, of: AdministrationRules.Who.self)
    }
    return AdministrationRules(holders)
  }
}
