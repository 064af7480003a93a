import Glibc
import LocalAuthTestSupport

@testable import LocalAuthSecret

/// Looks for a pattern in all memory of the process that can be read, through /proc/self/mem.
enum MemoryScan {
  struct Unreadable: Error {}

  /// How often the bytes that a generator with `seed` yields occur, apart from the buffer that the
  /// scan itself reads into.
  static func occurrences(seed: UInt64, size: Int) throws -> Int {
    let memory = unsafe open("/proc/self/mem", O_RDONLY)
    guard memory >= 0 else { throw Unreadable() }
    defer { close(memory) }
    // One mapping, so that the scan can leave its own buffer out.
    let windowSize = 1 << 20
    let window = unsafe mmap(
      nil,
      windowSize,
      PROT_READ | PROT_WRITE,
      MAP_PRIVATE | MAP_ANONYMOUS,
      -1,
      0
    )
    guard let window = unsafe window, unsafe window != MAP_FAILED else { throw Unreadable() }
    defer { unsafe munmap(window, windowSize) }
    let own = Int(bitPattern: window)..<(Int(bitPattern: window) + windowSize)
    let first = firstByte(seed: seed)
    var found = 0
    for range in try readableRanges() where !range.overlaps(own) {
      var start = range.lowerBound
      while start < range.upperBound {
        let wanted = min(windowSize, range.upperBound - start)
        let got = unsafe pread(memory, window, wanted, start)
        guard got > 0 else { break }
        let bytes = unsafe UnsafeRawBufferPointer(start: window, count: got)
        var place = 0
        while place + size <= got,
          let hit = unsafe memchr(window + place, Int32(first), got - size + 1 - place)
        {
          place = unsafe UnsafeRawPointer(hit) - UnsafeRawPointer(window)
          if unsafe matches(bytes, at: place, seed: seed, size: size) { found += 1 }
          place += 1
        }
        guard start + got < range.upperBound else { break }
        start += max(1, got - size + 1)
      }
    }
    return found
  }

  private static func firstByte(seed: UInt64) -> UInt8 {
    var generator = SeededGenerator(seed: seed)
    return UInt8(truncatingIfNeeded: generator.next())
  }

  private static func matches(
    _ bytes: UnsafeRawBufferPointer,
    at place: Int,
    seed: UInt64,
    size: Int
  ) -> Bool {
    var generator = SeededGenerator(seed: seed)
    for offset in 0..<size
    where unsafe bytes[place + offset] != UInt8(truncatingIfNeeded: generator.next()) {
      return false
    }
    return true
  }

  /// What the kernel says of the mapping that an address lies in, by the two letters of proc(5).
  static func flags(at address: Int) throws -> Set<String> {
    guard let maps = unsafe fopen("/proc/self/smaps", "r") else { throw Unreadable() }
    defer { unsafe fclose(maps) }
    var isThere = false
    var line = [CChar](repeating: 0, count: 8192)
    while unsafe fgets(&line, Int32(line.count), maps) != nil {
      let text = String(decoding: line.prefix { $0 != 0 }.map(UInt8.init), as: UTF8.self)
      let words = text.split(whereSeparator: \.isWhitespace).map(String.init)
      let ends = (words.first ?? "").split(separator: "-").compactMap { Int($0, radix: 16) }
      if ends.count == 2 { isThere = (ends[0]..<ends[1]).contains(address) }
      if isThere, words.first == "VmFlags:" { return Set(words.dropFirst()) }
    }
    throw Unreadable()
  }

  /// How many mappings the process has.
  static func mappingCount() throws -> Int {
    guard let maps = unsafe fopen("/proc/self/maps", "r") else { throw Unreadable() }
    defer { unsafe fclose(maps) }
    var count = 0
    var line = [CChar](repeating: 0, count: 8192)
    while unsafe fgets(&line, Int32(line.count), maps) != nil { count += 1 }
    return count
  }

  private static func readableRanges() throws -> [Range<Int>] {
    guard let maps = unsafe fopen("/proc/self/maps", "r") else { throw Unreadable() }
    defer { unsafe fclose(maps) }
    var ranges: [Range<Int>] = []
    var line = [CChar](repeating: 0, count: 8192)
    while unsafe fgets(&line, Int32(line.count), maps) != nil {
      let text = String(decoding: line.prefix { $0 != 0 }.map(UInt8.init), as: UTF8.self)
      let words = text.split(separator: " ")
      let ends = words[0].split(separator: "-").compactMap { Int($0, radix: 16) }
      guard words.count > 1, words[1].hasPrefix("rw"), ends.count == 2 else { continue }
      // A sanitizer maps terabytes of bookkeeping, which hold nothing that the process wrote.
      guard !Sanitizer.isActive || ends[1] - ends[0] < 1 << 28 else { continue }
      ranges.append(ends[0]..<ends[1])
    }
    return ranges
  }
}

/// Forks a child that exits 0 when it finds `secret` empty, as the kernel's wipe should leave it.
///
/// Found by name, because the C library's module hides `fork` from Swift; the child only reads
/// memory and leaves with `_exit`, which is safe although the parent has threads.
func forkAndReturnCount(_ secret: borrowing Secret) -> pid_t {
  typealias Fork = @convention(c) () -> pid_t
  guard let symbol = unsafe dlsym(nil, "fork") else { return -1 }
  let child = unsafe unsafeBitCast(symbol, to: Fork.self)()
  if child == 0 { _exit(secret.count == 0 ? 0 : 1) }
  return child
}

/// The seed of this run: `SEED` from the environment, or 7.
enum TestSeed {
  static var value: UInt64 {
    guard let text = unsafe getenv("SEED") else { return 7 }
    return UInt64(unsafe String(cString: text)) ?? 7
  }
}
