public import LocalAuthSync

/// A change of a key-value store that another writer made.
public struct KeyValueReport: Hashable, Sendable {
  /// The number of changes after it.
  public let revision: UInt64
  /// Why, and which keys, none for all; nil in the first report, which only says how it is.
  public let notice: KeyValueNotice?

  /// The report of this.
  public init(revision: UInt64, notice: KeyValueNotice?) {
    self.revision = revision
    self.notice = notice
  }

  /// Every store is as if it had never been, because the device was erased.
  static var allIsGone: Self { Self(revision: 0, notice: KeyValueNotice(.server, [])) }
}
