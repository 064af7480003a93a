/// The limits of a key-value store.
public enum KeyValueLimits {
  /// The most keys.
  public static let keysMax = 1024
  /// The most bytes of all values together, and of one.
  public static let bytesMax = 1 << 20
  /// The longest key, in bytes of UTF-8.
  public static let keyBytesMax = 64
  /// The most keys, removed ones included, that the hub still has to be told of.
  public static let marksMax = 4 * keysMax
}

/// A key of a key-value store; two spellings of one text are two keys, as they are to a hash.
public struct KeyValueKey: Hashable, Comparable, Sendable, ExpressibleByStringLiteral {
  /// The key as the program spelt it.
  public let text: String
  /// Whether there is one spelling of it only, which is quick to compare.
  private let isPlain: Bool

  /// The key that is spelt so.
  public init(_ text: String) {
    self.text = text
    isPlain = text.utf8.allSatisfy { $0 < 0x80 }
  }

  /// The key that is spelt so.
  public init(stringLiteral text: String) { self.init(text) }

  /// Whether a store takes it: it has at most ``KeyValueLimits/keyBytesMax`` bytes.
  public var isShort: Bool { text.utf8.count <= KeyValueLimits.keyBytesMax }

  /// Compares the bytes.
  public static func == (left: Self, right: Self) -> Bool {
    left.isPlain && right.isPlain
      ? left.text == right.text : left.text.utf8.elementsEqual(right.text.utf8)
  }

  /// Hashes the bytes: spellings that look alike are many keys, and would have one hash as texts.
  public func hash(into hasher: inout Hasher) {
    guard !isPlain else { return hasher.combine(text) }
    for byte in text.utf8 { hasher.combine(byte) }
  }

  /// Orders keys by their bytes.
  public static func < (left: Self, right: Self) -> Bool {
    left.isPlain && right.isPlain
      ? left.text < right.text : left.text.utf8.lexicographicallyPrecedes(right.text.utf8)
  }
}

/// What a program is told of a key-value store, in the numbers that clients know.
public struct KeyValueNotice: Hashable, Sendable {
  /// Why.
  public enum Reason: Int, CaseIterable, Hashable, Sendable {
    /// Another device changed something, or another program here.
    case server = 0
    /// The first download ended, or what was written before it was discarded.
    case initial = 1
    /// There is more than the quota allows.
    case quota = 2
    /// The person uses another account.
    case account = 3
  }

  /// Why.
  public let reason: Reason
  /// The keys that it is about, in their order.
  public let keys: [KeyValueKey]

  /// The notice about these keys.
  public init(_ reason: Reason, _ keys: some Sequence<KeyValueKey>) {
    self.reason = reason
    self.keys = keys.sorted()
  }
}

/// Why a write failed; nothing changed.
public enum KeyValueRefusal: Error, Hashable, Sendable {
  /// The key is longer than ``KeyValueLimits/keyBytesMax``, which is a mistake of the program's.
  case keyTooLong
  /// It would be over a quota; the program is told.
  case quota(KeyValueNotice)
}

/// The rules of one key-value store on one device.
///
/// A content is the bytes of a property list, or those of the digest that stands for it between devices.
///
/// | event                                       | what happens                                               |
/// |---------------------------------------------|------------------------------------------------------------|
/// | a write, without an account                 | it counts here, and nothing is remembered of it            |
/// | a write, before the first download ended    | it counts here and is pending                              |
/// | a write beyond a quota                      | it fails, and nothing changes                              |
/// | the first download                          | where the hub has a key, the hub wins over what is pending; the rest is sent |
/// | another device's change                     | it counts, and is told of                                  |
/// | a change that takes the store over a quota  | it counts; then only what makes it smaller does, until it is below |
/// | a backup that takes it over a quota         | the same                                                   |
/// | sign-in after use without account           | all that is here is pending                                |
/// | another account                             | its values replace what is here, which is kept to look at  |
/// | leaving                                     | all values stay, and count as those of nobody              |
public struct KeyValueZone: Hashable, Sendable {
  /// A value.
  public struct Value: Hashable, Sendable {
    /// What it is.
    public let content: [UInt8]
    /// Its bytes.
    public let size: Int

    /// The value with this content and size.
    public init(_ content: [UInt8], size: Int) {
      self.content = content
      self.size = size
    }
  }

  /// What a download changed.
  public struct Downloaded: Hashable, Sendable {
    /// What the program is told, in this order.
    public var notices: [KeyValueNotice] = []
    /// What was here and lost, for a person to look at; nil for a removal.
    public var discarded: [KeyValueKey: Value?] = [:]

    /// What a step changed that programs are told of so.
    public init(notices: [KeyValueNotice] = []) { self.notices = notices }
  }

  /// How far the store is with an account; the numbers are stored.
  public enum Phase: UInt8, CaseIterable, Hashable, Sendable {
    /// There is none.
    case withoutAccount = 0
    /// The first download has not ended.
    case downloading = 1
    /// What is written is sent.
    case ready = 2
  }

  /// How far it is.
  public private(set) var phase: Phase
  /// What the program reads.
  public private(set) var values: [KeyValueKey: Value] = [:]
  /// The bytes of all values together.
  public private(set) var byteCount = 0
  /// Keys that were written before the first download ended.
  public private(set) var pending: Set<KeyValueKey> = []
  /// Keys that the hub must be told of.
  public private(set) var outgoing: Set<KeyValueKey> = []

  /// An empty store, of a person with or without an account.
  public init(hasAccount: Bool) { phase = hasAccount ? .downloading : .withoutAccount }

  /// The store as it was kept.
  public init(
    _ phase: Phase,
    values: [KeyValueKey: Value],
    pending: Set<KeyValueKey>,
    outgoing: Set<KeyValueKey>
  ) {
    self.phase = phase
    self.pending = pending
    self.outgoing = outgoing
    replace(with: values)
  }

  /// Whether devices that were within their quotas are over one together.
  public var isOverQuota: Bool { Self.isOver(values.count, byteCount) }

  private static func isOver(_ count: Int, _ bytes: Int) -> Bool {
    count > KeyValueLimits.keysMax || bytes > KeyValueLimits.bytesMax
  }

  private mutating func put(_ value: Value?, _ key: KeyValueKey, instead old: Value?) {
    byteCount += (value?.size ?? 0) - (old?.size ?? 0)
    values[key] = value
  }

  private mutating func replace(with values: [KeyValueKey: Value]) {
    self.values = values
    byteCount = values.values.reduce(0) { $0 + $1.size }
  }

  // MARK: The program

  /// Writes a value, or removes it.
  ///
  /// - Parameters:
  ///   - key: The key.
  ///   - value: The value; nil to remove what there is.
  /// - Throws: ``KeyValueRefusal``; then nothing has changed.
  public mutating func set(_ key: KeyValueKey, to value: Value?) throws(KeyValueRefusal) {
    guard key.isShort else { throw .keyTooLong }
    let old = values[key]
    guard value != old else { return }
    if let value, !hasRoom(for: value, instead: old, key) {
      throw .quota(KeyValueNotice(.quota, [key]))
    }
    put(value, key, instead: old)
    mark(key)
  }

  /// Puts back the values of a backup that the store has not.
  ///
  /// They count beyond a quota, as those of another device do, and then only what makes the store smaller does.
  ///
  /// - Parameter values: The values, of which those whose key is here change nothing.
  /// - Returns: false for a store that ``canRestore`` nothing; then nothing has changed.
  public mutating func restore(_ values: [KeyValueKey: Value]) -> Bool {
    guard canRestore else { return false }
    for (key, value) in values where self.values[key] == nil {
      put(value, key, instead: nil)
      mark(key)
    }
    return true
  }

  /// Whether values may come back beyond a quota: not in one that is over it already, or has no room for marks, so that
  /// one restore after the other fills no disk.
  public var canRestore: Bool {
    !isOverQuota && pending.count + outgoing.count < KeyValueLimits.marksMax
  }

  private mutating func mark(_ key: KeyValueKey) {
    switch phase {
    // At sign-in all that is here then is pending.
    case .withoutAccount: break
    case .downloading: pending.insert(key)
    case .ready: outgoing.insert(key)
    }
  }

  private func hasRoom(for value: Value, instead old: Value?, _ key: KeyValueKey) -> Bool {
    let count = values.count + (old == nil ? 1 : 0)
    let isSmaller = old.map { value.size < $0.size } ?? false
    guard isSmaller || !Self.isOver(count, byteCount + value.size - (old?.size ?? 0)) else {
      return false
    }
    return pending.count + outgoing.count < KeyValueLimits.marksMax
      || pending.contains(key) || outgoing.contains(key)
  }

  /// Takes what is to be sent.
  public mutating func takeOutgoing() -> [KeyValueKey: Value?] {
    defer { outgoing = [] }
    return Dictionary(uniqueKeysWithValues: outgoing.map { ($0, values[$0]) })
  }

  /// Has what was taken sent once more, because it did not arrive.
  public mutating func putBack(_ keys: Set<KeyValueKey>) { outgoing.formUnion(keys) }

  // MARK: The hub

  /// The person signed in; what is here is pending until the download ended.
  public mutating func signedIn() {
    switch phase {
    case .downloading, .ready: return
    case .withoutAccount:
      phase = .downloading
      pending.formUnion(values.keys)
    }
  }

  /// The person has no account any more; what is here stays, and nothing is to be sent.
  public mutating func signedOut() {
    phase = .withoutAccount
    pending = []
    outgoing = []
  }

  /// The first download ended with all that the hub has.
  public mutating func downloaded(_ hub: [KeyValueKey: Value]) -> Downloaded {
    guard phase == .downloading else { return changed(hub.mapValues { Optional($0) }) }
    let before = values
    var result = Downloaded()
    for key in pending {
      guard let theirs = hub[key] else {
        // Nobody has to be told that what nobody has is gone.
        if before[key] != nil { outgoing.insert(key) }
        continue
      }
      if theirs != before[key] { result.discarded.updateValue(before[key], forKey: key) }
    }
    replace(with: before.filter { pending.contains($0.key) }.merging(hub) { $1 })
    pending = []
    phase = .ready
    result.notices = notices(.initial, before)
    return result
  }

  /// Another device changed something, and merging decided so; nil stands for a removal.
  public mutating func changed(_ changes: [KeyValueKey: Value?]) -> Downloaded {
    guard phase == .ready else { return Downloaded() }
    let before = values
    for (key, value) in changes {
      put(value, key, instead: values[key])
      outgoing.remove(key)
    }
    return Downloaded(notices: notices(.server, before))
  }

  /// The person uses another account: its values replace what is here, and nothing of the old one is sent to it.
  public mutating func changedAccount(to hub: [KeyValueKey: Value]) -> Downloaded {
    let before = values
    replace(with: hub)
    pending = []
    outgoing = []
    phase = .ready
    var result = Downloaded(notices: notices(.account, before))
    for (key, value) in before where hub[key] != value {
      result.discarded.updateValue(value, forKey: key)
    }
    return result
  }

  private func notices(
    _ reason: KeyValueNotice.Reason,
    _ before: [KeyValueKey: Value]
  ) -> [KeyValueNotice] {
    let keys = Set(before.keys).union(values.keys).filter { before[$0] != values[$0] }
    guard !keys.isEmpty else { return [] }
    let told = KeyValueNotice(reason, keys)
    return isOverQuota ? [told, KeyValueNotice(.quota, keys)] : [told]
  }
}
