import LocalAuthFiles
import NotesCore

/// Whether the device lets protected data be used.
struct DeviceProtection {
  let files: ProtectedFiles
  /// The word of whoever tells the app of changes, so that a look after the news agrees with them; nil if that is `files`.
  let isAvailable: (() -> Bool)?

  /// What stands against using protected data now; nil for nothing.
  var obstacle: Obstacle? {
    let reason = files.availability
    guard !(isAvailable?() ?? reason.isAvailable) else { return nil }
    return switch reason {
    case .beforeFirstUnlock: .beforeFirstUnlock
    case .available, .ending, .locked: .locked
    case .unknown: .unreachable
    }
  }
}
