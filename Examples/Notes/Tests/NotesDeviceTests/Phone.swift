import Foundation
import LocalAuthFiles
import LocalAuthTestKit

@testable import NotesDevice

/// A device with the app on it, and who uses both.
final class Phone: @unchecked Sendable {
  // @unchecked: a test uses it on one thread at a time.

  let device: TestDevice
  let home: URL
  private(set) var app: NotesApp
  /// The time of the app, which moves only when told.
  private let clock = Clock()

  private final class Clock { var now = Duration.zero }

  init(
    _ fingers: [Finger] = [.rightIndex],
    passcode: String? = "2468",
    lockout: LockoutProfileName = .threeStrikes
  ) throws {
    device = try TestDevice(fingers: fingers, passcode: passcode, lockout: lockout)
    home = FileManager.default.temporaryDirectory.appendingPathComponent("notes-\(UUID())")
    try FileManager.default.createDirectory(at: home, withIntermediateDirectories: true)
    app = try Self.app(device, home, clock)
  }

  /// One on which ann has made an account and is logged in.
  static func ofAnn(lockout: LockoutProfileName = .threeStrikes) throws -> Phone {
    let phone = try Phone(lockout: lockout)
    try phone.use { app in
      app.start()
      app.createAccount(name: "ann", password: Secret(copying: "open sesame".utf8))
    }
    return phone
  }

  deinit { try? FileManager.default.removeItem(at: home) }

  private static func app(_ device: TestDevice, _ home: URL, _ clock: Clock) throws -> NotesApp {
    try device.use { try NotesApp(home: home, device: device.device) { clock.now } }
  }

  /// Starts the app once more, as after it was ended.
  func restart() throws { app = try Self.app(device, home, clock) }

  /// Does something with the app on this device.
  func use(_ body: (NotesApp) throws -> Void) throws { try device.use { try body(app) } }

  func pass(_ duration: Duration) { clock.now += duration }

  /// Waits until the app is told that protected data is like this.
  func hears(_ isMeant: (DataAvailability) -> Bool) async {
    for await found in app.protection.files.changes where isMeant(found) { return }
  }

  /// The app's number for the device.
  func identifier() -> UUID? {
    device.use { app.deviceIdentifier() }
  }
}

extension NotesApp {
  /// A note as text.
  func text(_ number: Int) -> String? {
    var found: String?
    _ = read(number) { found = $0.text }
    return found
  }
}

extension NotesApp {
  /// What no file has yet.
  var unsavedText: String? {
    var found: String?
    readUnsaved { found = $0.text }
    return found
  }
}

extension Secret {
  /// The bytes as text, which is not wiped.
  var text: String { withData { String(decoding: $0, as: UTF8.self) } }
}

/// Why `body` did not reach its end; nil if it did.
func failure(_ body: () throws -> Void) -> FileFailure? {
  do { try body() } catch { return error as? FileFailure }
  return nil
}
