import CLocalAuthLinux
import Glibc
import Synchronization

/// 64 pages of locked memory for secrets: a page is cut into blocks of one size, and a larger secret
/// takes a run of pages.
///
/// All bookkeeping fits in 64-bit words (a bit per page, a bit per block) outside the pages, so that
/// taking and returning a block takes a few instructions and lies beside no secret. Free blocks are
/// zero.
@safe
struct SecretRegion {
  static let pageSize = 4096
  /// The smallest block: 64 of them fill a page, which is one word of bits.
  static let smallestBlock = 64
  /// The largest block; what is larger takes whole pages.
  static let largestBlock = 2048
  /// 256 KiB: 4096 keys, and far below the 8 MiB that RLIMIT_MEMLOCK allows by default.
  static let pageCount = 64
  static let byteCount = pageSize * pageCount

  /// False once the kernel has refused to lock a mapping.
  static let everyMappingIsLocked = Atomic(true)

  /// The address of the first page: an integer instead of a pointer, so that a lock may guard it.
  private let base: UInt
  /// Pages that serve nothing.
  private var freePages: UInt64 = .max
  /// For each block size, the pages of that size with a free block.
  private var pagesWithRoom = InlineArray<6, UInt64>(repeating: 0)
  /// For each page that is cut, its free blocks.
  private var freeBlocks = InlineArray<64, UInt64>(repeating: 0)

  /// Maps the pages; nil if the process has no memory left.
  init?() {
    guard let mapping = unsafe Self.map(Self.byteCount) else { return nil }
    base = UInt(bitPattern: mapping)
  }

  /// Returns the memory; no block may be in use.
  consuming func unmap() {
    guard let mapping = unsafe UnsafeMutableRawPointer(bitPattern: base) else { return }
    unsafe la_secret_unmap(mapping, Self.byteCount)
  }

  var isEmpty: Bool { freePages == .max }

  /// Whether the block at `address` is one of this region's.
  func holds(_ address: UInt) -> Bool { address &- base < UInt(Self.byteCount) }

  /// The address of a free block; nil if the region has none of that size.
  mutating func take(_ bytes: Int) -> UInt? {
    guard bytes <= Self.largestBlock else { return takePages(for: bytes) }
    let size = Self.sizeIndex(bytes)
    if pagesWithRoom[size] == 0 {
      guard freePages != 0 else { return nil }
      cutPage(into: size)
    }
    let page = pagesWithRoom[size].trailingZeroBitCount
    let block = freeBlocks[page].trailingZeroBitCount
    freeBlocks[page] &= freeBlocks[page] &- 1
    if freeBlocks[page] == 0 { pagesWithRoom[size] &= ~(1 << UInt64(page)) }
    return base + UInt(page * Self.pageSize + block * (Self.smallestBlock << size))
  }

  /// Marks what ``take(_:)`` gave for `bytes` as free.
  mutating func giveBack(_ address: UInt, _ bytes: Int) {
    let offset = Int(address - base)
    let page = offset / Self.pageSize
    guard bytes <= Self.largestBlock else {
      freePages |= Self.run(of: Self.pages(for: bytes)) << UInt64(page)
      return
    }
    let size = Self.sizeIndex(bytes)
    let bit: UInt64 = 1 << UInt64(page)
    freeBlocks[page] |= 1 << UInt64((offset % Self.pageSize) / (Self.smallestBlock << size))
    if freeBlocks[page] == Self.allBlocksFree(size) {
      // An empty page may serve another size, so that no mix of sizes can exhaust the region.
      pagesWithRoom[size] &= ~bit
      freePages |= bit
    } else {
      pagesWithRoom[size] |= bit
    }
  }

  private mutating func cutPage(into size: Int) {
    let page = freePages.trailingZeroBitCount
    freePages &= freePages &- 1
    freeBlocks[page] = Self.allBlocksFree(size)
    pagesWithRoom[size] |= 1 << UInt64(page)
  }

  private mutating func takePages(for bytes: Int) -> UInt? {
    let count = Self.pages(for: bytes)
    guard count <= Self.pageCount else { return nil }
    // A bit stays where it and the `count - 1` bits above it are set.
    var starts = freePages
    for _ in 1..<count { starts &= starts >> 1 }
    guard starts != 0 else { return nil }
    let page = starts.trailingZeroBitCount
    freePages &= ~(Self.run(of: count) << UInt64(page))
    return base + UInt(page * Self.pageSize)
  }

  /// New locked memory of `size` bytes, a multiple of the page, between two pages that nobody can
  /// touch.
  static func map(_ size: Int) -> UnsafeMutableRawPointer? {
    var locked = false
    // SAFETY: `locked` outlives the call, which keeps no pointer to it.
    let mapping = unsafe la_secret_map(size, &locked)
    if !locked { everyMappingIsLocked.store(false, ordering: .relaxed) }
    return unsafe mapping
  }

  /// 0 for up to 64 bytes, 1 for up to 128, … 5 for up to 2048.
  private static func sizeIndex(_ bytes: Int) -> Int {
    let blocks = (max(bytes, 1) - 1) / smallestBlock
    return Int.bitWidth - blocks.leadingZeroBitCount
  }

  private static func allBlocksFree(_ size: Int) -> UInt64 {
    run(of: pageSize / (smallestBlock << size))
  }

  private static func pages(for bytes: Int) -> Int { (bytes + pageSize - 1) / pageSize }

  /// A word whose lowest `count` bits are set, 1 to 64 of them.
  private static func run(of count: Int) -> UInt64 { .max >> UInt64(UInt64.bitWidth - count) }
}
