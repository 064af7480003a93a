import Foundation
import LocalAuthFiles

/// A text that nobody else has, and where it is: in files and in the memory of this process.
final class Plaintext {
  private static let length = 32
  private static let size = 1 << 20
  /// The first letter, which memory has few of.
  private static let rare = UInt8(ascii: "~")

  /// The text, then room to read into; this range itself is not looked through.
  private let memory: UnsafeMutableRawPointer
  private var room: UnsafeMutableRawPointer { memory + Self.length }
  private var roomSize: Int { Self.size - Self.length }

  init() {
    memory = mmap(nil, Self.size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
    var random = SystemRandomNumberGenerator()
    memory.storeBytes(of: Self.rare, as: UInt8.self)
    for index in 1..<Self.length {
      let letter = UInt8.random(in: 97...122, using: &random)
      memory.storeBytes(of: letter, toByteOffset: index, as: UInt8.self)
    }
  }

  deinit { munmap(memory, Self.size) }

  /// The text, in memory that is wiped.
  func text() -> Secret {
    Secret(copying: UnsafeRawBufferPointer(start: memory, count: Self.length))
  }

  /// The files below `directory` that have it.
  func files(in directory: URL) -> [String] {
    let names = FileManager.default.enumerator(atPath: directory.path)?.compactMap { $0 as? String }
    return (names ?? []).filter { name in
      let path = directory.appendingPathComponent(name).path
      let content = FileManager.default.contents(atPath: path) ?? Data()
      return content.withUnsafeBytes { isIn($0) }
    }
  }

  /// Whether the memory of this process has it.
  func isInMemory() throws -> Bool {
    // It is longer than one read gives.
    let handle = try FileHandle(forReadingFrom: URL(fileURLWithPath: "/proc/self/maps"))
    var maps = Data()
    while let more = try handle.read(upToCount: 4096), !more.isEmpty { maps += more }
    let file = open("/proc/self/mem", O_RDONLY | O_CLOEXEC)
    defer {
      close(file)
      // The search of another text must not find what was read here.
      memset(room, 0, roomSize)
    }
    let own = UInt(bitPattern: memory)..<UInt(bitPattern: memory) + UInt(Self.size)
    return String(decoding: maps, as: UTF8.self).split(separator: "\n").contains { line in
      let words = line.split(separator: " ", maxSplits: 2)
      let ends = words[0].split(separator: "-").compactMap { UInt($0, radix: 16) }
      guard words[1].hasPrefix("rw") else { return false }
      guard own.lowerBound >= ends[0], own.upperBound <= ends[1] else {
        return isIn(file, ends[0]..<ends[1])
      }
      return isIn(file, ends[0]..<own.lowerBound) || isIn(file, own.upperBound..<ends[1])
    }
  }

  private func isIn(_ file: Int32, _ range: Range<UInt>) -> Bool {
    var start = range.lowerBound
    while start < range.upperBound {
      let got = pread(file, room, min(roomSize, Int(range.upperBound - start)), off_t(start))
      if got > 0, isIn(UnsafeRawBufferPointer(start: room, count: got)) { return true }
      // The last bytes are looked at again, with what follows them; a page that is gone by now is passed over.
      start += got > Self.length ? UInt(got - Self.length) : 4096
      if got > 0, start + UInt(Self.length) >= range.upperBound { return false }
    }
    return false
  }

  private func isIn(_ bytes: UnsafeRawBufferPointer) -> Bool {
    var rest = bytes[...]
    while rest.count >= Self.length, let start = bytes.baseAddress {
      let last = rest.count - Self.length + 1
      let found = memchr(start + rest.startIndex, Int32(Self.rare), last)
      guard let found else { return false }
      guard memcmp(found, memory, Self.length) != 0 else { return true }
      rest = bytes[(UnsafeRawPointer(found) - start + 1)...]
    }
    return false
  }
}
