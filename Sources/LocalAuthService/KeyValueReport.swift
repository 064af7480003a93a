public import LocalAuthSync

/// A change of a key-value store that another writer made.
public struct KeyValueReport: Hashable, Sendable {
  /// The number of changes after it.
  public let revision: UInt64
  /// Why, and which keys, none for all; nil in the first report, which only says how it is.
  public let notice: KeyValueNotice?
  /// Which of these keys have no value any more.
  public let removed: [KeyValueKey]

  /// The report of this.
  public init(revision: UInt64, notice: KeyValueNotice?, removed: [KeyValueKey] = []) {
    self.revision = revision
    self.notice = notice
    self.removed = removed
  }

  /// What `notice` says of a store that is as `store` after it.
  init(_ notice: KeyValueNotice, of store: StoredKeyValues) {
    let removed = notice.keys.filter { store.zone.values[$0] == nil }
    self.init(revision: store.revision, notice: notice, removed: removed)
  }

  /// Every store is as if it had never been, because the device was erased.
  static var allIsGone: Self { Self(revision: 0, notice: KeyValueNotice(.server, [])) }
}
