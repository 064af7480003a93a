/// A login, identified by the two numbers that audit gave its processes.
public struct AuditLogin: Hashable, Sendable {
  /// The session number, unique within this boot.
  public var session: UInt32
  /// The user who logged in, whichever user the process runs as now.
  public var user: UInt32

  /// Creates a login from its numbers.
  public init(session: UInt32, user: UInt32) {
    self.session = session
    self.user = user
  }
}

/// The session records of systemd-logind(8), in files that belong to root.
public struct LoginRecords: Sendable {
  /// The directory in which logind keeps them.
  public static let systemDirectory = "/run/systemd/sessions"

  /// More sessions than any machine has; beyond this, every answer is no.
  private static let recordsMax = 8192
  private static let recordSizeMax = 16_384
  private let directory: String

  /// Reads the records in `directory`.
  public init(in directory: String = Self.systemDirectory) { self.directory = directory }

  /// Whether `login` is a session of its user at a local seat, and the one in front there.
  ///
  /// False if in doubt: no such session, two of them, a record that cannot be read or that others
  /// could have written, and a session that is remote, has no seat, is closing or is not shown.
  public func isAtSeat(_ login: AuditLogin) -> Bool {
    var found: [LoginRecord] = []
    let names: [String]
    do throws(ConfigurationFileError) {
      guard let place = try ConfigurationPath.find(directory) else { return false }
      names = try place.names(max: Self.recordsMax)
    } catch {
      return false
    }
    // Names with a dot are a session's FIFO or a record being written.
    for name in names where !name.contains(".") {
      do throws(ConfigurationFileError) {
        // A session that ended meanwhile is skipped; any other failure could hide a second record.
        guard
          let bytes = try ConfigurationFile.read(
            directory + "/" + name,
            sizeLimit: Self.recordSizeMax
          )
        else { continue }
        guard bytes.count <= Self.recordSizeMax else { return false }
        let record = LoginRecord(bytes)
        if record["AUDIT"] == "\(login.session)" { found.append(record) }
      } catch {
        return false
      }
    }
    return found.count == 1 && found[0].isAtSeat(of: login.user)
  }
}

/// One record: lines of the form `KEY=value`.
private struct LoginRecord {
  private let lines: [Substring]

  init(_ bytes: [UInt8]) { lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n") }

  /// The value of `key`; nil unless exactly one line sets it.
  subscript(key: String) -> Substring? {
    let found = lines.filter { $0.hasPrefix(key + "=") }
    return found.count == 1 ? found[0].dropFirst(key.count + 1) : nil
  }

  func isAtSeat(of user: UInt32) -> Bool {
    self["REMOTE"] == "0" && self["UID"] == "\(user)" && self["SEAT"]?.isEmpty == false
      && self["STATE"] == "active"
  }
}
