import LocalAuthKeychain
import LocalAuthTestKit
import LocalAuthTestSupport
import Testing

@testable import LocalAuthFiles

/// What is left of a file's key once the device is locked.
@Suite(
  .serialized,
  .disabled(if: Sanitizer.isActive, "a sanitizer keeps terabytes of memory of its own")
)
struct FileKeysInMemoryTests {
  /// The key of the file, in `scan` only.
  private func look(for name: String, _ device: FilesDevice, _ scan: MemoryScan) throws {
    let header = try #require(try SourceFile(device.path(name), isReplaced: false).header())
    let (choice, source) = try device.device.device.resolved()
    scan.lookFor(try FileKeySource(choice, source).open(header))
  }

  /// The keys that come from a file's key are in the library's memory for ciphers, and go with it; the scan is
  /// for the key itself and finds no copy while the file is open either.
  @Test(arguments: [FileProtection.complete, .completeUnlessOpen])
  func noFileKeyIsLeftAfterTheDeadline(_ protection: FileProtection) async throws {
    let device = try FilesDevice()
    try device.write("text", "a", protection)
    let scan = MemoryScan()
    try look(for: "a", device, scan)
    let file = try device.files.open(device.path("a"))
    try device.lockForGood()
    await device.wait(for: .locked)
    #expect(scan.findings() == [])
    withExtendedLifetime(file) {}
  }
}
