import Glibc
public import LocalAuthSecret
import Synchronization

/// Looks through all memory that can be written for 32 bytes, in both orders.
@safe
public final class MemoryScan {
  private static let chunk = 1 << 20
  private static let reserved = 4096
  private static let size = reserved + chunk
  /// Where the memory of each scan begins: one that looks at another's pattern has a copy of it.
  private static let scans = Mutex<Set<UInt>>([])

  /// Two patterns, then room to read into; no scan looks through it.
  private let memory: UnsafeMutableRawPointer
  private var own: UInt { unsafe UInt(bitPattern: memory) }

  /// Makes a scan that looks for nothing yet.
  public init() {
    // SAFETY: a new mapping of `size` bytes that nobody else knows of.
    unsafe memory = mmap(nil, Self.size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
    let own = own
    Self.scans.withLock { _ = $0.insert(own) }
  }

  deinit {
    let own = own
    // Nobody else can get this address while it is in the set.
    Self.scans.withLock {
      _ = unsafe munmap(memory, Self.size)
      $0.remove(own)
    }
  }

  /// Looks for this key, which has 32 bytes, and wipes it.
  public func lookFor(_ key: consuming Secret) {
    // SAFETY: the key has 32 bytes, and the mapping begins with room for two times as many.
    unsafe key.withUnsafeBytes { bytes in
      for index in 0..<32 {
        unsafe memory.storeBytes(of: bytes[index], toByteOffset: index, as: UInt8.self)
        unsafe memory.storeBytes(of: bytes[31 - index], toByteOffset: 32 + index, as: UInt8.self)
      }
    }
  }

  /// The lines of `/proc/self/maps` whose memory holds the bytes.
  public func findings() -> [String] {
    // SAFETY: the streams and descriptors are used only here; lines are copied as they are read.
    guard let maps = unsafe fopen("/proc/self/maps", "r") else { return ["no maps"] }
    defer { unsafe fclose(maps) }
    let file = unsafe open("/proc/self/mem", O_RDONLY | O_CLOEXEC)
    defer { close(file) }
    var lines: [String] = []
    var line = [CChar](repeating: 0, count: 8192)
    while unsafe fgets(&line, Int32(line.count), maps) != nil {
      let bytes = line.prefix { $0 != 0 && $0 != 10 }.map { UInt8(bitPattern: $0) }
      lines.append(String(decoding: bytes, as: UTF8.self))
    }
    return lines.filter { holds($0, file) }
  }

  private func holds(_ line: String, _ file: Int32) -> Bool {
    let words = line.split(separator: " ", maxSplits: 2)
    let ends = words[0].split(separator: "-").compactMap { UInt(String($0), radix: 16) }
    guard words[1].hasPrefix("rw"), ends.count == 2, !line.hasSuffix("[vvar]") else { return false }
    return betweenScans(ends[0], ends[1]).contains { holds(from: $0, to: $1, file) }
  }

  /// The parts of a mapping that are no scan's: the kernel makes one mapping of neighbours.
  private func betweenScans(_ first: UInt, _ end: UInt) -> [(UInt, UInt)] {
    let inside = Self.scans.withLock { $0 }.filter { first <= $0 && $0 < end }.sorted()
    let ends = inside.map { $0 + UInt(Self.size) }
    return Array(zip([first] + ends, inside + [end]))
  }

  private func holds(from first: UInt, to end: UInt, _ file: Int32) -> Bool {
    var start = first
    while start < end {
      if isHit(start, min(UInt(Self.chunk), end - start), file) { return true }
      // The last bytes are looked at again, with what follows them.
      start += UInt(Self.chunk - 31)
    }
    return false
  }

  private func isHit(_ start: UInt, _ count: UInt, _ file: Int32) -> Bool {
    // SAFETY: at most a chunk is read into the room for one; the search stays inside what was read.
    let room = unsafe memory + Self.reserved
    let got = unsafe pread(file, room, Int(count), off_t(start))
    for pattern in 0..<2 {
      let wanted = unsafe memory + 32 * pattern
      let first = unsafe Int32(wanted.load(as: UInt8.self))
      var offset = 0
      while offset + 32 <= got, let found = unsafe memchr(room + offset, first, got - offset - 31) {
        if unsafe memcmp(found, wanted, 32) == 0 { return true }
        offset = unsafe room.distance(to: found) + 1
      }
    }
    return false
  }
}
