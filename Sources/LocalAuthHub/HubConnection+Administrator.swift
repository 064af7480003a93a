import CLocalAuthPostgreSQL
import Glibc
public import LocalAuthSync

extension HubConnection {
  /// Connects an administrator, as `psql` does with the same string and environment.
  ///
  /// Over a network it takes nothing less than `sslmode=verify-full`, also where the string does not say so. A password
  /// comes from where libpq finds one by itself; one in the string is refused, because everybody can read arguments.
  ///
  /// - Parameter text: A connection string or URI of libpq's; empty for what its environment says.
  /// - Throws: `HubError.unreachable`; `unexpected` for a string that is not taken.
  public init(administrator text: String) throws(HubError) {
    var options = try Self.options(of: text)
    if options["password"] != nil || options["sslpassword"] != nil {
      throw .unexpected(
        "a password does not belong there: put it into a file that PGPASSFILE names"
      )
    }
    let host = options["hostaddr"] ?? options["host"] ?? Self.variable("PGHOST") ?? "/"
    if !host.split(separator: ",").allSatisfy({ $0.hasPrefix("/") }) {
      let mode = options["sslmode"] ?? Self.variable("PGSSLMODE") ?? "verify-full"
      guard mode == "verify-full" else {
        throw .unexpected("over a network sslmode is verify-full, and nothing less")
      }
      options["sslmode"] = mode
    }
    options["application_name"] = "authctl hub"
    try self.init(options.map { (name: $0.key, value: $0.value) })
  }

  /// The options that a string names.
  private static func options(of text: String) throws(HubError) -> [String: String] {
    guard !text.isEmpty else { return [:] }
    var complaint: UnsafeMutablePointer<CChar>?
    // SAFETY: the string is a C string for the call; libpq allocates the list and the complaint, which are freed here.
    guard let list = unsafe PQconninfoParse(text, &complaint) else {
      let reason = unsafe complaint.map { unsafe String(cString: $0) } ?? "no memory"
      unsafe PQfreemem(complaint)
      throw .unexpected(reason.filter { !$0.isNewline })
    }
    defer { unsafe PQconninfoFree(list) }
    var options: [String: String] = [:]
    var index = 0
    // SAFETY: the last element of the list has no keyword.
    while let keyword = unsafe list[index].keyword {
      if let value = unsafe list[index].val {
        options[unsafe String(cString: keyword)] = unsafe String(cString: value)
      }
      index += 1
    }
    return options
  }

  private static func variable(_ name: String) -> String? {
    // SAFETY: the C string is copied at once; nothing here changes variables.
    unsafe getenv(name).map { unsafe String(cString: $0) }
  }
}
