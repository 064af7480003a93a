import LocalAuthFiles
import NotesCore

/// Whether the device lets protected data be used.
struct DeviceProtection: Sendable {
  let files: ProtectedFiles

  /// What stands against using protected data now; nil for nothing.
  var obstacle: Obstacle? {
    switch files.availability {
    case .available: nil
    case .beforeFirstUnlock: .beforeFirstUnlock
    case .ending, .locked: .locked
    case .unknown: .unreachable
    }
  }
}
