import CLocalAuthLinux
import Glibc
import Synchronization

/// The memory that all secrets of the process share: as many regions as they fill, under one lock.
///
/// Secrets share regions because the kernel allows a process about 65,000 mappings: with one for
/// each secret, whoever sends many could end the process.
@safe
struct SecretArena: ~Copyable {
  static let shared = Mutex(SecretArena())

  /// The regions; the first stays, and of further ones that are empty one, because a large secret often follows another.
  private var regions: [SecretRegion]

  init() { regions = SecretRegion().map { [$0] } ?? [] }

  /// Zeroed memory of at least `size` bytes, aligned to 16.
  static func allocate(_ size: Int) -> UnsafeMutableRawPointer {
    if let address = shared.withLock({ arena in arena.take(size) }),
      let block = unsafe UnsafeMutableRawPointer(bitPattern: address)
    {
      return unsafe block
    }
    guard size > SecretRegion.byteCount,
      let mapping = unsafe SecretRegion.map(roundedToPages(size))
    else { fatalError("no memory left for a secret of \(size) bytes") }
    return unsafe mapping
  }

  /// Wipes and frees what ``allocate(_:)`` returned for the same `size`.
  static func free(_ block: UnsafeMutableRawPointer, size: Int) {
    // SAFETY: the owner is being destroyed, so nobody else can reach these `size` bytes.
    unsafe explicit_bzero(block, size)
    let address = UInt(bitPattern: block)
    if !shared.withLock({ arena in arena.giveBack(address, size) }) {
      unsafe la_secret_unmap(block, roundedToPages(size))
    }
  }

  /// How many regions there are; for tests.
  var regionCount: Int { regions.count }

  /// The address of a free block, in a new region if the others have no room; nil if it is larger
  /// than a region or there is no memory left.
  mutating func take(_ bytes: Int) -> UInt? {
    guard bytes <= SecretRegion.byteCount else { return nil }
    for index in regions.indices {
      if let address = regions[index].take(bytes) { return address }
    }
    guard var region = SecretRegion() else { return nil }
    let address = region.take(bytes)
    regions.append(region)
    return address
  }

  /// Marks a block free; false if it lies in no region.
  mutating func giveBack(_ address: UInt, _ bytes: Int) -> Bool {
    guard let index = regions.firstIndex(where: { $0.holds(address) }) else { return false }
    regions[index].giveBack(address, bytes)
    if index > 0, regions[index].isEmpty, regions.dropFirst().count(where: { $0.isEmpty }) > 1 {
      regions.remove(at: index).unmap()
    }
    return true
  }

  private static func roundedToPages(_ size: Int) -> Int {
    let page = Int(sysconf(Int32(_SC_PAGESIZE)))
    return (size + page - 1) / page * page
  }
}
