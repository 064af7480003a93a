import Foundation
import Glibc

/// A directory of a test, which goes with it.
final class Place {
  let url = FileManager.default.temporaryDirectory.appendingPathComponent(
    "localauth-\(UUID().uuidString)"
  )

  init() throws {
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  func file(_ name: String) -> URL { url.appendingPathComponent(name) }

  /// What stands on the disk.
  func disk(_ name: String) -> String {
    let handle = FileHandle(forReadingAtPath: file(name).path)
    return String(decoding: handle?.readDataToEndOfFile() ?? Data(), as: UTF8.self)
  }

  /// Overwrites a byte of what stands on the disk.
  func damage(_ name: String, at offset: Int) { put(.max, name, at: offset) }

  /// Makes a byte of what stands on the disk another one.
  func put(_ byte: UInt8, _ name: String, at offset: Int) {
    let stream = unsafe fopen(file(name).path, "r+b")
    guard let stream = unsafe stream else { return }
    unsafe fseek(stream, offset, SEEK_SET)
    unsafe fputc(Int32(byte), stream)
    unsafe fclose(stream)
  }
}
