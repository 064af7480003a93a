import Glibc
import LocalAuthCrypto
import LocalAuthHub
import LocalAuthSecret
import LocalAuthSync

/// What an administrator does to the database of a hub: `localauth-sync hub …`, which `authctl hub` runs.
///
/// It says what it found in lines of `name=value` on standard output, and one sentence on standard error if it failed.
enum Administration {
  /// What is to be done.
  enum Act: Hashable {
    case install
    case upgrade
    case status
    case verify
    case found
    /// To remove the circle of this number.
    case removeCircle(Int64)

    /// Reads the words that name it; nil for anything else.
    init?(_ words: ArraySlice<String>) {
      let plain: [String: Self] = [
        "install": .install, "upgrade": .upgrade, "status": .status, "verify": .verify,
        "found": .found,
      ]
      switch (words.first, words.dropFirst().first) {
      case (let word?, nil):
        guard let act = plain[word] else { return nil }
        self = act
      case ("remove-circle"?, let number?):
        guard words.count == 2, let number = Int64(number) else { return nil }
        self = .removeCircle(number)
      default: return nil
      }
    }
  }

  /// Does it, and returns the exit status.
  static func run(_ act: Act, _ connection: String) -> Int32 {
    do throws(HubError) {
      try perform(act, HubConnection(administrator: connection))
      return EX_OK
    } catch {
      return fail(sentence(error) + "\n", status(error))
    }
  }

  private static func perform(_ act: Act, _ connection: borrowing HubConnection) throws(HubError) {
    switch act {
    case .install: say("made", try HubSchema.install(connection))
    case .upgrade:
      guard try HubSchema.status(connection).version != nil else {
        throw .schema(found: nil, wanted: HubSchema.newest)
      }
      say("made", try HubSchema.upgrade(connection))
    case .status:
      let status = try HubSchema.status(connection)
      if status.missing.isEmpty, status.version == HubSchema.newest {
        say("circle", try HubSchema.circles(connection).map(line))
      }
    case .removeCircle(let number): try HubSchema.removeCircle(number, connection)
    case .verify: say("problem", try HubSchema.verify(connection))
    case .found: return try found(connection)
    }
    let status = try HubSchema.status(connection)
    say("server", ["\(status.server / 10_000).\(status.server % 10_000)"])
    say("missing", status.missing)
    guard let version = status.version else { return }
    say("version", ["\(version)"])
    guard status.missing.isEmpty, version == HubSchema.newest else { return }
    let census = try HubSchema.census(connection)
    say("circles", ["\(census.circles)"])
    say("devices", ["\(census.devices)"])
    say("zones", ["\(census.zones)"])
    say("records", ["\(census.records)"])
    say("bytes", ["\(census.bytes)"])
  }

  /// What a circle is told apart by, in columns; `-` for what is not there.
  private static func line(_ circle: HubSchema.Circle) -> String {
    let numbers = [
      circle.devices, circle.records, circle.bytes, circle.room, circle.made,
    ]
    return
      "\(circle.number) \(circle.name ?? "-") \(numbers.map(String.init).joined(separator: " ")) "
      + (circle.used.map(String.init) ?? "-")
  }

  /// Founds a circle, and prints the code from which its first device has its role and its password.
  ///
  /// The circle counts once the code is durable: nobody could ever enter one without.
  private static func found(_ connection: borrowing HubConnection) throws(HubError) {
    let code = InvitationCode.generate()
    guard let role = code.hubRole(), let password = code.hubPassword() else {
      throw .unexpected("no memory")
    }
    let version = try HubSchema.status(connection).version
    guard version == HubSchema.newest else {
      throw .schema(found: version, wanted: HubSchema.newest)
    }
    try connection.runScript("begin")
    try HubSchema.found(connection, role: role, verifier: password.verifier())
    // Whoever closes the connection before the commit has founded nothing.
    try write(code)
    try connection.runScript("commit")
  }

  private static func write(_ code: InvitationCode) throws(HubError) {
    var line = Secret(capacity: 64)
    line.append(contentsOf: code.printed)
    _ = line.append(UInt8(ascii: "\n"))
    // SAFETY: the bytes are lent for the call.
    let count = unsafe line.withUnsafeBytes {
      unsafe Glibc.write(STDOUT_FILENO, $0.baseAddress, $0.count)
    }
    // A pipe or a terminal keeps nothing.
    let isDurable = fsync(STDOUT_FILENO) == 0 || errno == EINVAL || errno == EROFS
    guard count == line.count, isDurable else {
      throw .unexpected("the code could not be written, so no circle was founded")
    }
  }

  private static func say(_ name: String, _ values: [String]) {
    for value in values { print("\(name)=\(value)") }
  }

  // MARK: Errors

  private static func sentence(_ error: HubError) -> String {
    switch error {
    // It was reached: so begins what a server says that opens no session, such as of a database that there is not.
    case .unreachable(let reason) where reason.contains("FATAL:"):
      "The server opened no session: \(reason)."
    case .unreachable(let reason): "The server cannot be reached: \(reason)."
    case .denied(let reason): "The server does not let you in: \(reason)."
    case .refused("42501", let reason):
      "The server does not permit that: \(said(reason)). A superuser makes and sees a hub."
    case .refused(let code, let reason): "The server refused: \(said(reason)) (\(code))."
    case .unexpected(let reason): reason.prefix(1).uppercased() + reason.dropFirst() + "."
    case .schema(nil, _), .refused("3F000", _):
      "There is no hub in this database: authctl hub install makes one."
    case .schema(let found?, let wanted) where found > wanted:
      "The hub is of version \(found) and this program of \(wanted): use a newer program."
    case .schema(let found?, let wanted):
      "The hub is of version \(found) and this program of \(wanted): authctl hub upgrade makes what is missing."
    }
  }

  /// What the server said, without its word for an error, which is one of its language.
  private static func said(_ reason: String) -> Substring {
    reason.firstRange(of: ":  ").map { reason[$0.upperBound...] } ?? reason[...]
  }

  private static func status(_ error: HubError) -> Int32 {
    switch error {
    case .unreachable: EX_UNAVAILABLE
    case .denied, .refused("42501", _): EX_NOPERM
    case .refused, .unexpected, .schema: EX_CONFIG
    }
  }
}
