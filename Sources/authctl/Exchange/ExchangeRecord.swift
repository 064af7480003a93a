import LocalAuthSecret

/// One entry of a table: a login with what hangs on it.
///
/// Its secrets lie in one secret, one behind the other.
struct ExchangeRecord: ~Copyable {
  /// The line of the file on which it begins, counted from 1.
  let line: Int
  var title = ""
  var url = ""
  var username = ""
  private(set) var secrets: Secret
  private(set) var places: [ExchangeRole: Range<Int>] = [:]

  init(line: Int) {
    self.line = line
    secrets = Secret(capacity: 3 * ExchangeLimits.field)
  }

  /// Appends the content of a secret field.
  mutating func take(_ field: borrowing Secret, as role: ExchangeRole) {
    guard field.count > 0, places[role] == nil else { return }
    places[role] = secrets.append(contentsOf: field)
  }

  /// Sets a field that is no secret.
  mutating func take(_ text: String, as role: ExchangeRole) {
    switch role {
    case .title: title = text
    case .url: url = text
    case .username: username = text
    case .kind, .password, .code, .notes, .other: break
    }
  }

  /// What the entry is for: its title, else the host of its address.
  var name: String { title.isEmpty ? Self.host(of: url) : title }

  private static func host(of url: String) -> String {
    guard let scheme = url.firstRange(of: "://") else { return url }
    return String(url[scheme.upperBound...].prefix { $0 != "/" && $0 != "?" && $0 != "#" })
  }
}

/// What is wrong with a line of a file, in words without anything that stands there.
struct ExchangeProblem: Error, Equatable {
  let line: Int
  let message: String

  init(_ line: Int, _ message: String) {
    self.line = line
    self.message = message
  }
}
