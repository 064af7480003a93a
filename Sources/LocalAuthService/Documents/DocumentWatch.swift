public import LocalAuthSync

/// Documents of a container that another writer changed.
public enum DocumentReport: Hashable, Sendable {
  /// A document is new, or has another content or other versions, or all of its bytes came.
  case changed(ListedDocument)
  /// A document was removed.
  case removed(DocumentName)
  /// Any document may be another one: the first report, and one after the device was erased.
  case anything
}

extension Engine {
  /// Reports which documents other writers change from now on; nil once the device is gone.
  ///
  /// It throws as ``documents(_:after:caller:)`` does.
  public func watchDocuments(
    _ request: GroupRequest,
    caller: Caller,
    onReport: @escaping (DocumentReport?) -> Void
  ) throws(EngineError) -> GroupWatch<DocumentReport> {
    let place = try container(request, caller)
    let watch = GroupWatch(place, \.documentWatches, by: request.writer, onReport)
    onReport(.anything)
    return watch
  }

  /// Tells those who watch a container what a document is like now.
  func tell(of place: DocumentPlace, except writer: UInt64?) {
    let watches = place.device.documentWatches.of(place.container, except: writer)
    guard !watches.isEmpty else { return }
    // What a closed device has cannot be told from what was damaged.
    let read = isOpen(place.device) ? try? read(place, evenDamaged: true) : nil
    let report =
      read.map { ListedDocument($0, hash).map { .changed($0) } ?? .removed(place.name) }
      ?? DocumentReport.anything
    for watch in watches { watch.tell(report) }
  }
}
