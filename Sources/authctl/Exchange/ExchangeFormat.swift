/// The files of other programs that items come from and go to, and our own.
enum ExchangeFormat: String, CaseIterable, ExpressibleByArgument {
  case json
  case bitwarden
  case onePassword = "1password"
  case keepassxc
  case chrome
  case firefox

  /// The columns of the format, in its order; none of our own, which is no table.
  var columns: [(name: String, role: ExchangeRole)] {
    switch self {
    case .json: []
    case .bitwarden:
      [
        ("folder", .other), ("favorite", .other), ("type", .kind), ("name", .title),
        ("notes", .notes), ("fields", .other), ("reprompt", .other), ("login_uri", .url),
        ("login_username", .username), ("login_password", .password), ("login_totp", .code),
      ]
    case .onePassword:
      [
        ("Title", .title), ("Url", .url), ("Username", .username), ("Password", .password),
        ("OTPAuth", .code), ("Favorite", .other), ("Archived", .other), ("Tags", .other),
        ("Notes", .notes),
      ]
    case .keepassxc:
      [
        ("Group", .other), ("Title", .title), ("Username", .username), ("Password", .password),
        ("URL", .url), ("Notes", .notes), ("TOTP", .code), ("Icon", .other),
        ("Last Modified", .other), ("Created", .other),
      ]
    case .chrome:
      [
        ("name", .title), ("url", .url), ("username", .username), ("password", .password),
        ("note", .notes),
      ]
    case .firefox:
      [
        ("url", .url), ("username", .username), ("password", .password), ("httpRealm", .other),
        ("formActionOrigin", .other), ("guid", .other), ("timeCreated", .other),
        ("timeLastUsed", .other), ("timePasswordChanged", .other),
      ]
    }
  }

  /// The column of any of these formats that has a name; nil for none.
  static func column(_ name: String) -> (name: String, role: ExchangeRole)? {
    let name = name.lowercased()
    return allCases.lazy.flatMap(\.columns).first { $0.name.lowercased() == name }
  }
}

/// What a column of a table holds.
enum ExchangeRole: Sendable {
  case title, url, username, password, code, notes
  /// What kind of entry it is.
  case kind
  /// Nothing that is kept here.
  case other

  /// Whether it is kept in secret memory; notes hold recovery codes and the like.
  var isSecret: Bool {
    switch self {
    case .password, .code, .notes: true
    case .title, .url, .username, .kind, .other: false
    }
  }
}

/// How much is read of a file, so that no file takes all memory.
enum ExchangeLimits {
  /// The longest field in bytes; as much as an item's secret.
  static let field = SecretFile.limit
  /// The longest text of a name in bytes.
  static let text = 4096
  /// The most columns of a table.
  static let columns = 64
  /// The longest line of our own format in bytes: an item's secret in base64, and its attributes.
  static let line = 256 * 1024
  /// The most bytes from the end of a record to that of the next: every column as long as it may be.
  static let record = columns * field
  /// The most records of a file.
  static let records = 100_000
}
