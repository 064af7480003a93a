import CLocalAuthLinux
import Glibc
import Synchronization

/// The memory that all secrets of the process share: 64 pages, each cut into blocks of one size.
///
/// All bookkeeping fits in 64-bit words (a bit per page, a bit per block), so taking and returning
/// a block takes a few instructions under one lock, and no bookkeeping lies between the secrets.
/// Free blocks are zero.
@safe
struct SecretArena: ~Copyable {
  /// Bytes of one page of the arena; a larger secret gets a mapping of its own.
  static let pageSize = 4096
  /// The smallest block: 64 of them fill a page, which is one word of bits.
  static let smallestBlock = 64
  /// 256 KiB: 4096 keys, and far below the 8 MiB that RLIMIT_MEMLOCK allows by default.
  static let pageCount = 64

  static let shared = Mutex(SecretArena())
  /// False once the kernel has refused to lock a mapping.
  static let everyMappingIsLocked = Atomic(true)

  /// The address of the first page: an integer instead of a pointer, so that the lock may guard it.
  ///
  /// Nil if the process had no memory left for the pages; each secret then has its own mapping.
  private let base: UInt?
  /// Pages that have no block size.
  private var untouchedPages: UInt64
  /// For each block size, the pages of that size with a free block.
  private var pagesWithRoom = InlineArray<7, UInt64>(repeating: 0)
  /// For each page, its free blocks.
  private var freeBlocks = InlineArray<64, UInt64>(repeating: 0)
  /// For each page, the index of its block size.
  private var sizeOfPage = InlineArray<64, UInt8>(repeating: 0)

  init() {
    base = unsafe Self.map(Self.pageSize * Self.pageCount).map { UInt(bitPattern: $0) }
    untouchedPages = base == nil ? 0 : .max
  }

  /// Zeroed memory of at least `size` bytes, aligned to 16.
  static func allocate(_ size: Int) -> UnsafeMutableRawPointer {
    if let address = shared.withLock({ arena in arena.take(size) }),
      let block = unsafe UnsafeMutableRawPointer(bitPattern: address)
    {
      return unsafe block
    }
    guard let mapping = unsafe map(roundedToPages(size)) else {
      fatalError("no memory left for a secret of \(size) bytes")
    }
    return unsafe mapping
  }

  /// Wipes and frees what ``allocate(_:)`` returned for the same `size`.
  static func free(_ block: UnsafeMutableRawPointer, size: Int) {
    // SAFETY: the owner is being destroyed, so nobody else can reach these `size` bytes.
    unsafe explicit_bzero(block, size)
    let address = UInt(bitPattern: block)
    if !shared.withLock({ arena in arena.giveBack(address) }) {
      unsafe la_secret_unmap(block, roundedToPages(size))
    }
  }

  /// Bytes of arena blocks in use; for tests.
  var bytesInUse: Int {
    var bytes = 0
    for page in 0..<Self.pageCount where untouchedPages & (1 << UInt64(page)) == 0 {
      let size = Int(sizeOfPage[page])
      let used = Self.blocksPerPage(size) - freeBlocks[page].nonzeroBitCount
      bytes += used * (Self.smallestBlock << size)
    }
    return bytes
  }

  /// The address of a free block; nil if the arena has none of that size.
  mutating func take(_ bytes: Int) -> UInt? {
    guard bytes <= Self.pageSize, let base else { return nil }
    let size = Self.sizeIndex(bytes)
    if pagesWithRoom[size] == 0 {
      guard untouchedPages != 0 else { return nil }
      dedicatePage(to: size)
    }
    let page = pagesWithRoom[size].trailingZeroBitCount
    let block = freeBlocks[page].trailingZeroBitCount
    freeBlocks[page] &= freeBlocks[page] &- 1
    if freeBlocks[page] == 0 { pagesWithRoom[size] &= ~(1 << UInt64(page)) }
    return base + UInt(page * Self.pageSize + block * (Self.smallestBlock << size))
  }

  private mutating func dedicatePage(to size: Int) {
    let page = untouchedPages.trailingZeroBitCount
    untouchedPages &= untouchedPages &- 1
    sizeOfPage[page] = UInt8(size)
    freeBlocks[page] = Self.allBlocksFree(size)
    pagesWithRoom[size] |= 1 << UInt64(page)
  }

  /// Marks a block free; false if it does not belong to the arena.
  mutating func giveBack(_ address: UInt) -> Bool {
    guard let base, address >= base else { return false }
    let offset = Int(address - base)
    guard offset < Self.pageSize * Self.pageCount else { return false }
    let page = offset / Self.pageSize
    let size = Int(sizeOfPage[page])
    let block = (offset % Self.pageSize) / (Self.smallestBlock << size)
    freeBlocks[page] |= 1 << UInt64(block)
    let bit: UInt64 = 1 << UInt64(page)
    if freeBlocks[page] == Self.allBlocksFree(size) {
      // An empty page may serve another size, so that no mix of sizes can exhaust the arena.
      pagesWithRoom[size] &= ~bit
      untouchedPages |= bit
    } else {
      pagesWithRoom[size] |= bit
    }
    return true
  }

  private static func map(_ size: Int) -> UnsafeMutableRawPointer? {
    var locked = false
    // SAFETY: `locked` outlives the call, which keeps no pointer to it.
    let mapping = unsafe la_secret_map(size, &locked)
    if !locked { everyMappingIsLocked.store(false, ordering: .relaxed) }
    return unsafe mapping
  }

  /// 0 for up to 64 bytes, 1 for up to 128, … 6 for a whole page.
  private static func sizeIndex(_ bytes: Int) -> Int {
    let blocks = (max(bytes, 1) - 1) / smallestBlock
    return Int.bitWidth - blocks.leadingZeroBitCount
  }

  private static func blocksPerPage(_ size: Int) -> Int { pageSize / (smallestBlock << size) }

  private static func allBlocksFree(_ size: Int) -> UInt64 {
    .max >> UInt64(UInt64.bitWidth - blocksPerPage(size))
  }

  private static func roundedToPages(_ size: Int) -> Int {
    let page = Int(sysconf(Int32(_SC_PAGESIZE)))
    return (size + page - 1) / page * page
  }
}
