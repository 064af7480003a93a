/// Reports what others change in what an access group keeps on a device, until it is ended; for the engine's thread.
public final class GroupWatch<Report> {
  fileprivate let group: String
  fileprivate let writer: UInt64?
  private var onReport: (Report?) -> Void
  private weak var device: LiveDevice?
  private let list: ReferenceWritableKeyPath<LiveDevice, GroupWatches<Report>>

  /// Begins a watch, as one of a list of the group's device.
  init(
    _ place: GroupPlace,
    _ list: ReferenceWritableKeyPath<LiveDevice, GroupWatches<Report>>,
    by writer: UInt64?,
    _ onReport: @escaping (Report?) -> Void
  ) {
    group = place.group
    device = place.device
    self.list = list
    self.writer = writer
    self.onReport = onReport
    place.device[keyPath: list].add(self)
  }

  func tell(_ report: Report) { onReport(report) }

  /// Reports that the device is gone, and nothing afterwards.
  func deviceIsGone() {
    let last = onReport
    onReport = { _ in }
    last(nil)
  }

  /// Ends the watch; nothing is reported afterwards.
  public func end() {
    device?[keyPath: list].remove(self)
    onReport = { _ in }
  }
}

/// The watches of one device's key-value stores, or of its documents.
///
/// What is told may end a watch, so nothing is told while the list is being changed.
struct GroupWatches<Report> {
  private var watches: [GroupWatch<Report>] = []

  mutating func add(_ watch: GroupWatch<Report>) { watches.append(watch) }
  mutating func remove(_ watch: GroupWatch<Report>) { watches.removeAll { $0 === watch } }

  /// The watches of one group, but those of who wrote.
  func of(_ group: String, except writer: UInt64?) -> [GroupWatch<Report>] {
    watches.filter {
      $0.group.utf8.elementsEqual(group.utf8) && (writer == nil || $0.writer != writer)
    }
  }

  /// Reports the same to all of them.
  func tellAll(_ report: Report) { for watch in watches { watch.tell(report) } }

  /// Takes all of them, because the device is gone.
  mutating func takeAll() -> [GroupWatch<Report>] {
    defer { watches = [] }
    return watches
  }
}
