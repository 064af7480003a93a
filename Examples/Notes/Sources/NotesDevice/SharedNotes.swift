import LocalAuthDocuments
import LocalAuthFiles
import NotesCore

/// A note that all devices of the person have.
public struct SharedNote: Equatable, Sendable {
  /// What it is called everywhere.
  public let name: String
  /// Whether two devices wrote it at the same time, and nobody has chosen yet.
  public let isInConflict: Bool
}

/// Notes as documents: each device of the circle has them, and a device that is in no circle has them alone.
struct SharedNotes {
  private let container: DocumentContainer
  /// What this program has read or written of each, so that it overwrites nothing that nobody has seen here.
  private var known: [String: String] = [:]
  /// The versions in conflict that were read, so that no other is dropped.
  private var conflicts: [String: [String]] = [:]

  init(on device: Device) { container = DocumentContainer(on: device) }

  /// Calls `body`, on a thread of the container's own, with each change that this program did not make.
  func onChange(_ body: @escaping @Sendable (DocumentChange) -> Void) { container.onChange(body) }

  func list() throws(DocumentFailure) -> [SharedNote] {
    try container.documents().filter(\.isComplete).map {
      SharedNote(name: $0.name, isInConflict: $0.conflicts > 0)
    }
  }

  /// Lends each version of a note to `body`, the one that stands first.
  mutating func read(
    _ name: String,
    _ body: (borrowing Secret) -> Void
  ) throws(DocumentFailure) {
    (known[name], conflicts[name]) = (nil, nil)
    for version in try container.versions(of: name) {
      let text = try container.read(name, version: version.id).bytes
      if version.isCurrent {
        known[name] = version.id
      } else {
        conflicts[name, default: []].append(version.id)
      }
      body(Secret(copying: text))
    }
  }

  /// Writes a note over what is known of it here.
  mutating func write(_ text: borrowing Secret, _ name: String) throws(DocumentFailure) {
    let bytes = text.withUnsafeBytes { Array($0) }
    let expected = known[name].map { DocumentContainer.Expectation.version($0) } ?? .nothing
    known[name] = try container.write(bytes, to: name, over: expected)
  }

  /// Lets what stands be the note, on all devices, if that is what was read.
  mutating func keepCurrent(_ name: String) throws(DocumentFailure) {
    let opened = known[name].map { DocumentContainer.Expectation.version($0) } ?? .nothing
    try container.settle(conflicts[name] ?? [], of: name, over: opened)
    conflicts[name] = nil
  }

  mutating func remove(_ name: String) throws(DocumentFailure) {
    try container.remove(name)
    known[name] = nil
  }
}
