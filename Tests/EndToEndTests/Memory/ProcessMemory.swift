import Glibc
import LocalAuthUnix

/// Searches the memory of another process, which only root may read when it is one of ours.
enum ProcessMemory {
  /// A text that is nowhere by chance.
  ///
  /// It is looked for in pieces, so that a copy is found although a part of it was written over.
  struct Marker: Sendable, CustomStringConvertible {
    let text: String
    fileprivate let pieces: [[UInt8]]

    init(_ name: String) {
      var generator = Settings.generator(name)
      let letters = Array("abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789")
      self.init(
        text: String((0..<48).map { _ in letters.randomElement(using: &generator) ?? "a" })
      )
    }

    private init(text: String) {
      self.text = text
      let bytes = Array(text.utf8)
      pieces = stride(from: 0, to: bytes.count, by: 16).map { Array(bytes[$0..<($0 + 16)]) }
    }

    var description: String { text }

    /// The same as it travels where data does.
    var inBase64: Marker {
      let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
      let bytes = Array(text.utf8).map { UInt32($0) }
      // 48 bytes fill 16 groups: nothing is left over.
      let groups = stride(from: 0, to: bytes.count, by: 3).map {
        bytes[$0] << 16 | bytes[$0 + 1] << 8 | bytes[$0 + 2]
      }
      return Marker(
        text: String(
          groups.flatMap { group in
            [18, 12, 6, 0].map { digits[Int(group >> UInt32($0) & 63)] }
          }
        )
      )
    }

    /// Whether a piece of it is among `bytes`.
    func isPart(of bytes: [UInt8]) -> Bool {
      pieces.contains { !ProcessMemory.offsets(of: $0, in: bytes, count: bytes.count).isEmpty }
    }
  }

  /// Where a piece of `marker` lies in what the process can write to.
  static func places(of marker: Marker, in process: Int32) throws -> [String] {
    // SAFETY: the string is a C string for the length of the call.
    let number = unsafe open("/proc/\(process)/mem", O_RDONLY | O_CLOEXEC)
    guard number >= 0 else { throw SystemError("open", code: errno, subject: "mem of \(process)") }
    let memory = FileDescriptor(owning: number)
    var window = [UInt8](repeating: 0, count: 1 << 20)
    let overlap = 15
    var places: [String] = []
    var size = 0
    for mapping in try writableMappings(of: process) {
      var start = mapping.range.lowerBound
      while start < mapping.range.upperBound {
        let wanted = min(window.count, mapping.range.upperBound - start)
        // SAFETY: the array's storage is valid for the call and holds that many bytes.
        let got = unsafe pread(memory.rawValue, &window, wanted, off_t(start))
        guard got > 0 else { break }
        size += got
        for (index, piece) in marker.pieces.enumerated() {
          for offset in offsets(of: piece, in: window, count: got) {
            places.append("piece \(index) at \(String(start + offset, radix: 16)) \(mapping.name)")
          }
        }
        guard start + got < mapping.range.upperBound else { break }
        start += max(1, got - overlap)
      }
    }
    guard size > 0 else { throw Machine.Missing(what: "any memory of \(process) to read") }
    return places
  }

  fileprivate static func offsets(of piece: [UInt8], in bytes: [UInt8], count: Int) -> [Int] {
    // SAFETY: every read lies within the first `count` bytes, and the storage lives in the closure.
    unsafe bytes.withUnsafeBytes { bytes in
      guard let start = bytes.baseAddress, count >= piece.count else { return [] }
      var found: [Int] = []
      var offset = 0
      while offset <= count - piece.count,
        let hit = unsafe memchr(start + offset, Int32(piece[0]), count - piece.count + 1 - offset)
      {
        offset = unsafe UnsafeRawPointer(hit) - start
        if unsafe memcmp(hit, piece, piece.count) == 0 { found.append(offset) }
        offset += 1
      }
      return found
    }
  }

  private static func writableMappings(
    of process: Int32
  ) throws -> [(range: Range<Int>, name: String)] {
    try Files.text("/proc/\(process)/maps").split(separator: "\n").compactMap { line in
      let words = line.split(separator: " ")
      guard words.count > 4, words[1].hasPrefix("rw") else { return nil }
      let bounds = words[0].split(separator: "-").compactMap { Int($0, radix: 16) }
      // A sanitizer maps terabytes of bookkeeping, which hold no text.
      guard bounds.count == 2, bounds[1] - bounds[0] < 1 << 28 else { return nil }
      return (bounds[0]..<bounds[1], words.count > 5 ? String(words[5]) : "anonymous")
    }
  }
}
