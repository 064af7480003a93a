/// A login, by the two numbers that audit gave its processes.
public struct AuditLogin: Hashable, Sendable {
  /// The session, which no other login of this boot has.
  public var session: UInt32
  /// Who logged in, whoever the process runs as now.
  public var user: UInt32

  /// The login with these numbers.
  public init(session: UInt32, user: UInt32) {
    self.session = session
    self.user = user
  }
}

/// What systemd-logind(8) has noted about the sessions of this machine, in files that are root's.
public struct LoginRecords: Sendable {
  /// Where it notes them.
  public static let systemDirectory = "/run/systemd/sessions"

  /// More than a machine has; beyond, nothing is certain.
  private static let recordsMax = 8192
  private static let recordSizeMax = 16_384
  private let directory: String

  /// The records in `directory`.
  public init(in directory: String = Self.systemDirectory) { self.directory = directory }

  /// Whether `login` is the session of its user at a seat of this machine.
  ///
  /// Whatever is unclear is no: no such session, two of them, a record that cannot be read or that
  /// others may have written, one that is remote, that has no seat, or that is closing.
  public func isAtSeat(_ login: AuditLogin) -> Bool {
    var found: [LoginRecord] = []
    let names: [String]
    do throws(ConfigurationFileError) {
      guard let place = try ConfigurationPath.find(directory) else { return false }
      names = try place.names(max: Self.recordsMax)
    } catch {
      return false
    }
    // The pipe of a session, and what is being written, have a dot in their names.
    for name in names where !name.contains(".") {
      do throws(ConfigurationFileError) {
        // One that ended while we looked is none; any other might be a second one.
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

/// One record: lines of a key, an equals sign and a value.
private struct LoginRecord {
  private let lines: [Substring]

  init(_ bytes: [UInt8]) { lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n") }

  /// The value of the one line that sets `key`; nil where none does, or several do.
  subscript(key: String) -> Substring? {
    let found = lines.filter { $0.hasPrefix(key + "=") }
    return found.count == 1 ? found[0].dropFirst(key.count + 1) : nil
  }

  func isAtSeat(of user: UInt32) -> Bool {
    self["REMOTE"] == "0" && self["UID"] == "\(user)" && self["SEAT"]?.isEmpty == false
      && (self["STATE"] == "active" || self["STATE"] == "online")
  }
}
