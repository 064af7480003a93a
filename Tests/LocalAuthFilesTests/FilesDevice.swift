import Glibc
import LocalAuthTestKit
import LocalAuthTestSupport

@testable import LocalAuthFiles

/// A device of a test with a passcode, the files that it protects, and a directory for them.
final class FilesDevice {
  let device: TestDevice
  let files: ProtectedFiles
  private let scratch = ScratchDirectory()

  init(passcode: String? = "2468") throws {
    device = try TestDevice(passcode: passcode)
    files = try ProtectedFiles(on: device.device)
  }

  func path(_ name: String) -> String { "\(scratch.path)/\(name)" }

  /// Locks the device and lets the time pass for which the keys stay.
  func lockForGood() throws {
    try device.lock()
    try device.clock.advance(by: .seconds(11))
  }

  /// Waits until the device's files are told that it is like this.
  func wait(for availability: DataAvailability) async {
    for await found in files.changes where found == availability { return }
  }

  /// Puts a protected file with this text at the path called `name`.
  func write(_ text: String, _ name: String, _ protection: FileProtection) throws {
    // SAFETY: the bytes are the array's own during the call.
    try unsafe files.write(Array(text.utf8).span.bytes, to: path(name), protection)
  }

  /// The text of an open file; throws as reading does.
  func text(of file: ProtectedFile) throws -> String { Self.text(try file.read(100)) }

  func text(_ name: String) throws -> String { Self.text(try files.read(path(name))) }

  private static func text(_ secret: borrowing Secret) -> String {
    // SAFETY: the bytes are copied within the call.
    unsafe secret.withUnsafeBytes { unsafe String(decoding: $0, as: UTF8.self) }
  }
}

/// The failure of `body`; nil if there is none.
func failure(_ body: () throws -> Void) -> FileFailure? {
  do { try body() } catch { return error as? FileFailure }
  return nil
}
