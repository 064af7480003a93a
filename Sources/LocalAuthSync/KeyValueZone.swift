/// What a program is told of a key-value store, in the numbers that clients know.
public struct KeyValueNotice: Hashable, Sendable {
  /// Why.
  public enum Reason: Int, CaseIterable, Hashable, Sendable {
    /// Another device changed something.
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
  public let keys: [String]

  /// The notice about these keys.
  public init(_ reason: Reason, _ keys: some Sequence<String>) {
    self.reason = reason
    self.keys = keys.sorted()
  }
}

/// The rules of one key-value store on one device; contents are digests, as in every zone.
///
/// | event                                       | what happens                                               |
/// |---------------------------------------------|------------------------------------------------------------|
/// | a write, before the first download ended    | it counts here and is pending                              |
/// | a write beyond a quota                      | it fails, and nothing changes                              |
/// | the first download                          | where the hub has a key, the hub wins over what is pending; the rest is sent |
/// | another device's change                     | it counts, and is told of                                  |
/// | a change that takes the store over a quota  | it counts; then only removals do, until it is below        |
/// | sign-in after use without account           | all that is here is pending                                |
/// | another account                             | its values replace what is here                            |
public struct KeyValueZone: Hashable, Sendable {
  /// The most keys.
  public static let keysMax = 1024
  /// The most bytes of all values together, and of one.
  public static let bytesMax = 1 << 20
  /// The longest key, in bytes of UTF-8.
  public static let keyBytesMax = 64

  /// A value.
  public struct Value: Hashable, Sendable {
    /// The digest that stands for it.
    public let content: SyncDigest
    /// Its bytes.
    public let size: Int

    /// The value with this digest and size.
    public init(_ content: SyncDigest, size: Int) {
      self.content = content
      self.size = size
    }
  }

  /// Why a write failed; nothing changed.
  public enum Refusal: Error, Hashable, Sendable {
    /// The key is longer than ``KeyValueZone/keyBytesMax``, which is a mistake of the program's.
    case keyTooLong
    /// It would be over a quota; the program is told.
    case quota(KeyValueNotice)
  }

  /// What a download changed.
  public struct Downloaded: Hashable, Sendable {
    /// What the program is told, in this order.
    public var notices: [KeyValueNotice] = []
    /// What was pending and lost, for a person to look at; nil for a removal.
    public var discarded: [String: Value?] = [:]
  }

  private enum State: UInt8, Hashable, Sendable {
    case withoutAccount = 1
    case downloading = 2
    case ready = 3
  }

  private var state: State
  /// What the program reads.
  public private(set) var values: [String: Value] = [:]
  /// Keys that were written before the first download ended.
  public private(set) var pending: Set<String> = []
  /// Keys that the hub must be told of.
  public private(set) var outgoing: Set<String> = []

  /// An empty store, of a person with or without an account.
  public init(hasAccount: Bool) { state = hasAccount ? .downloading : .withoutAccount }

  /// Whether devices that were within their quotas are over one together.
  public var isOverQuota: Bool { Self.isOver(values) }

  private static func isOver(_ values: [String: Value]) -> Bool {
    values.count > keysMax || values.values.reduce(0) { $0 + $1.size } > bytesMax
  }

  // MARK: The program

  /// Writes a value, or removes it.
  ///
  /// - Throws: ``Refusal``; then nothing has changed.
  public mutating func set(_ key: String, to value: Value?) throws(Refusal) {
    guard key.utf8.count <= Self.keyBytesMax else { throw .keyTooLong }
    var next = values
    next[key] = value
    guard value == nil || !Self.isOver(next) else { throw .quota(KeyValueNotice(.quota, [key])) }
    guard next != values else { return }
    values = next
    switch state {
    case .withoutAccount, .downloading: pending.insert(key)
    case .ready: outgoing.insert(key)
    }
  }

  /// Takes what is to be sent.
  public mutating func takeOutgoing() -> [String: Value?] {
    defer { outgoing = [] }
    return Dictionary(uniqueKeysWithValues: outgoing.map { ($0, values[$0]) })
  }

  // MARK: The hub

  /// The person signed in; what is here is pending until the download ended.
  public mutating func signedIn() {
    switch state {
    case .downloading, .ready: return
    case .withoutAccount:
      state = .downloading
      pending.formUnion(values.keys)
    }
  }

  /// The first download ended with all that the hub has.
  public mutating func downloaded(_ hub: [String: Value]) -> Downloaded {
    guard state == .downloading else { return changed(hub.mapValues { Optional($0) }) }
    let before = values
    var result = Downloaded()
    for key in pending {
      guard let theirs = hub[key] else {
        outgoing.insert(key)
        continue
      }
      if theirs != before[key] { result.discarded.updateValue(before[key], forKey: key) }
    }
    values = before.filter { pending.contains($0.key) }.merging(hub) { $1 }
    pending = []
    state = .ready
    result.notices = notices(.initial, before)
    return result
  }

  /// Another device changed something, and merging decided so; nil stands for a removal.
  public mutating func changed(_ changes: [String: Value?]) -> Downloaded {
    guard state == .ready else { return Downloaded() }
    let before = values
    for (key, value) in changes {
      values[key] = value
      outgoing.remove(key)
    }
    return Downloaded(notices: notices(.server, before))
  }

  /// The person uses another account: its values replace what is here, and nothing of the old one is sent to it.
  public mutating func changedAccount(to hub: [String: Value]) -> Downloaded {
    let before = values
    values = hub
    pending = []
    outgoing = []
    state = .ready
    return Downloaded(notices: notices(.account, before))
  }

  private func notices(
    _ reason: KeyValueNotice.Reason,
    _ before: [String: Value]
  ) -> [KeyValueNotice] {
    let keys = Set(before.keys).union(values.keys).filter { before[$0] != values[$0] }
    guard !keys.isEmpty else { return [] }
    let told = KeyValueNotice(reason, keys)
    return isOverQuota ? [told, KeyValueNotice(.quota, keys)] : [told]
  }
}

// MARK: What is kept

extension KeyValueZone {
  private static let purpose: StaticString = "LocalAuth sync row store 1"

  /// The one row that is kept of the store `zone`; its keys are names that programs chose, so they are sealed too.
  public func row(in zone: ZoneName) -> SyncRow {
    var framed = FramedBytes(Self.purpose)
    framed.add(state.rawValue)
    let keys = Set(values.keys).union(pending).union(outgoing)
    framed.add(UInt32(truncatingIfNeeded: keys.count))
    for key in keys.map({ KeptKey(text: $0) }).sorted() {
      framed.add(counted: Array(key.text.utf8))
      framed.add(pending.contains(key.text))
      framed.add(outgoing.contains(key.text))
      framed.add(values[key.text]) { framed, value in
        framed.add(value.content)
        framed.add(UInt64(value.size))
      }
    }
    return SyncRow(SyncRow.Key(.store, zone), framed.bytes)
  }

  /// Reads what ``row(in:)`` wrote; nil for anything else.
  public init?(_ row: SyncRow) {
    guard row.key.kind == .store, var reader = FramedReader(row.value, for: Self.purpose),
      let code: UInt8 = reader.number(), let state = State(rawValue: code),
      let lines = reader.pairs(
        most: ZoneManifest.recordsMax,
        { $0.keptKey() },
        { $0.keptLine() }
      ),
      reader.isAtEnd
    else { return nil }
    self.state = state
    for (key, line) in lines {
      values[key.text] = line.value
      if line.isPending { pending.insert(key.text) }
      if line.isOutgoing { outgoing.insert(key.text) }
    }
    guard pending.isEmpty || state != .ready, outgoing.isEmpty || state == .ready else {
      return nil
    }
  }
}

/// A key in the order of its bytes, which no version of Unicode changes.
private struct KeptKey: Hashable, Comparable {
  let text: String

  static func < (left: Self, right: Self) -> Bool {
    left.text.utf8.lexicographicallyPrecedes(right.text.utf8)
  }
}

/// What is kept of a key.
private struct KeptLine {
  let isPending: Bool
  let isOutgoing: Bool
  let value: KeyValueZone.Value?
}

extension FramedReader {
  fileprivate mutating func keptKey() -> KeptKey? {
    counted(most: RecordFormat.bodyMax).flatMap { String(validating: $0, as: UTF8.self) }
      .map { KeptKey(text: $0) }
  }

  fileprivate mutating func keptLine() -> KeptLine? {
    guard let isPending = flag(), let isOutgoing = flag(),
      let value = optional({ $0.keptValue() }), value != nil || isPending || isOutgoing
    else { return nil }
    return KeptLine(isPending: isPending, isOutgoing: isOutgoing, value: value)
  }

  private mutating func keptValue() -> KeyValueZone.Value? {
    guard let content = digest(), let size: UInt64 = number(), size <= RecordFormat.bodyMax else {
      return nil
    }
    return KeyValueZone.Value(content, size: Int(size))
  }
}
