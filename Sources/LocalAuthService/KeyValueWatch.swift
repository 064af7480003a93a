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
}

/// Reports what others change in one store until it is ended; for the engine's thread.
public final class KeyValueWatch {
  fileprivate let store: String
  fileprivate let writer: UInt64?
  private var onReport: (KeyValueReport?) -> Void
  private weak var device: LiveDevice?

  init(
    _ store: String,
    on device: LiveDevice,
    by writer: UInt64?,
    _ onReport: @escaping (KeyValueReport?) -> Void
  ) {
    self.store = store
    self.device = device
    self.writer = writer
    self.onReport = onReport
  }

  func tell(_ report: KeyValueReport) { onReport(report) }

  /// Reports that the device is gone, and nothing afterwards.
  func deviceIsGone() {
    let last = onReport
    onReport = { _ in }
    last(nil)
  }

  /// Ends the watch; nothing is reported afterwards.
  public func end() {
    device?.keyValueWatches.remove(self)
    onReport = { _ in }
  }
}

/// The watches of one device's key-value stores.
///
/// What is told may end a watch, so nothing is told while the list is being changed.
struct KeyValueWatches {
  private var watches: [KeyValueWatch] = []

  mutating func add(_ watch: KeyValueWatch) { watches.append(watch) }
  mutating func remove(_ watch: KeyValueWatch) { watches.removeAll { $0 === watch } }

  /// The watches of one store, but those of who wrote.
  func of(_ store: String, except writer: UInt64?) -> [KeyValueWatch] {
    watches.filter {
      $0.store.utf8.elementsEqual(store.utf8) && (writer == nil || $0.writer != writer)
    }
  }

  /// Reports that every store is as if it had never been, because the device was erased.
  func tellThatAllIsGone() {
    let report = KeyValueReport(revision: 0, notice: KeyValueNotice(.server, []))
    for watch in watches { watch.tell(report) }
  }

  /// Takes all of them, because the device is gone.
  mutating func takeAll() -> [KeyValueWatch] {
    defer { watches = [] }
    return watches
  }
}
