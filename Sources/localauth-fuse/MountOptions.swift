import LocalAuth
import LocalAuthClient
import LocalAuthUnix

/// The words of the command line.
struct MountOptions {
  var home: String?
  var socket: String?
  var isSystem = false
  var user: UInt32?
  var device: String?
  /// The descriptor that gets one byte: 0 once the file system is mounted, or else the exit status.
  var readiness: Int32?
  var directory = ""
  var mountpoint = ""

  /// Parses the words behind the program's name; nil if they are not understood.
  init?(_ words: [String]) {
    var rest = words[...]
    while let word = rest.first, word.hasPrefix("--") {
      rest = rest.dropFirst()
      if word == "--" { break }
      if word == "--system" {
        isSystem = true
        continue
      }
      guard let value = rest.popFirst(), take(word, value) else { return nil }
    }
    guard rest.count == 2, !rest.contains(""), !isSystem || home == nil, isSystem || user == nil
    else { return nil }
    directory = rest[rest.startIndex]
    mountpoint = rest[rest.startIndex + 1]
  }

  private mutating func take(_ option: String, _ value: String) -> Bool {
    switch option {
    case "--home": home = value
    case "--socket": socket = value
    case "--device": device = value
    case "--user":
      user = UInt32(value)
      return user != nil
    case "--ready-fd":
      readiness = Int32(value)
      return readiness ?? 0 > 2
    default: return false
    }
    return true
  }

  /// The service that has the keys.
  func address() throws(RuntimePathsError) -> DaemonAddress {
    if isSystem { return try DaemonAddress(systemSocket: socket, user: user) }
    return DaemonAddress(paths: try RuntimePaths(home: home, socket: socket))
  }
}
