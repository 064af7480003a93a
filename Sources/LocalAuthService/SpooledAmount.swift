import LocalAuthCore

/// How much is in a spool, before its one commit.
struct SpooledAmount {
  /// The user's share of the disk, which a spool keeps to as the keychain does.
  struct Limits {
    let items: Int?
    let bytes: Int?

    init(_ options: EngineOptions) {
      items = options.spooledItemsMax
      bytes = options.spooledBytesMax
    }
  }

  /// What brings it, as the first words of a sentence.
  private let what: String
  private var items = 0
  private var bytes = 0

  init(_ what: String) { self.what = what }

  /// Counts an item of so many bytes.
  mutating func add(_ count: Int, _ limits: Limits) throws(EngineError) {
    items += 1
    bytes += count
    if let most = limits.items, items > most {
      throw .limitReached("\(what) may bring \(most) items; this has more.")
    }
    if let most = limits.bytes, bytes > most {
      throw .limitReached("\(what) may hold \(most >> 20) MiB of items; this has more.")
    }
  }
}
