import Glibc
import Testing

/// Searches the memory of another process.
enum ProcessMemory {
  /// How often `text` lies in the readable mappings of `process`.
  static func occurrences(of text: String, in process: pid_t) throws -> Int {
    let memory = unsafe open("/proc/\(process)/mem", O_RDONLY | O_CLOEXEC)
    try #require(memory >= 0)
    defer { close(memory) }
    let pattern = Array(text.utf8)
    var found = 0
    for mapping in try readableMappings(of: process) {
      var bytes = [UInt8](repeating: 0, count: mapping.count)
      let count = unsafe bytes.withUnsafeMutableBytes { bytes in
        unsafe pread(memory, bytes.baseAddress, bytes.count, off_t(mapping.lowerBound))
      }
      if count > 0 { found += occurrences(of: pattern, in: bytes, count: count) }
    }
    return found
  }

  private static func occurrences(of pattern: [UInt8], in bytes: [UInt8], count: Int) -> Int {
    unsafe bytes.withUnsafeBytes { bytes in
      guard let start = bytes.baseAddress, count >= pattern.count else { return 0 }
      var found = 0
      var offset = 0
      while let hit = unsafe memchr(start + offset, Int32(pattern[0]), count - offset) {
        offset = unsafe UnsafeRawPointer(hit) - start
        guard count - offset >= pattern.count else { break }
        if unsafe memcmp(hit, pattern, pattern.count) == 0 { found += 1 }
        offset += 1
      }
      return found
    }
  }

  private static func readableMappings(of process: pid_t) throws -> [Range<UInt>] {
    String(decoding: try read("/proc/\(process)/maps"), as: UTF8.self).split(separator: "\n")
      .compactMap { line in
        let words = line.split(separator: " ")
        guard words.count > 1, words[1].hasPrefix("r"), !line.hasSuffix("[vvar]") else {
          return nil
        }
        let bounds = words[0].split(separator: "-").compactMap { UInt($0, radix: 16) }
        // Sanitizers map terabytes of bookkeeping, which hold no text.
        guard bounds.count == 2, bounds[1] - bounds[0] < 1 << 28, bounds[1] < 1 << 47 else {
          return nil
        }
        return bounds[0]..<bounds[1]
      }
  }

  /// The whole of a file.
  static func read(_ path: String) throws -> [UInt8] {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    try #require(descriptor >= 0, "\(path)")
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = unsafe piece.withUnsafeMutableBytes { piece in
        unsafe Glibc.read(descriptor, piece.baseAddress, piece.count)
      }
      guard count > 0 else { return bytes }
      bytes.append(contentsOf: piece[..<count])
    }
  }
}
