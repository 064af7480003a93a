import Glibc

/// The index of a write-ahead log, in memory that the connections of this process share, and its locks.
///
/// It has numbers of pages and no content. SQLite makes it again from the log.
@safe struct LogIndex {
  var locks = IndexLocks()
  private var regions: [UnsafeMutableRawPointer] = unsafe []
  private var users: Set<ObjectIdentifier> = []

  /// The region with this number, zeros if it is new; nil if there is none and none is wanted, or no memory.
  @unsafe
  mutating func map(
    _ number: Int,
    size: Int,
    extends: Bool,
    for user: ObjectIdentifier
  ) -> UnsafeMutableRawPointer? {
    users.insert(user)
    while unsafe regions.count <= number {
      guard extends, let region = unsafe calloc(1, size) else { return nil }
      unsafe regions.append(region)
    }
    return unsafe regions[number]
  }

  /// Ends the use of `user`; without users the index is gone.
  mutating func unmap(_ user: ObjectIdentifier) {
    users.remove(user)
    guard users.isEmpty else { return }
    for number in unsafe regions.indices { unsafe free(regions[number]) }
    unsafe regions = []
  }
}
