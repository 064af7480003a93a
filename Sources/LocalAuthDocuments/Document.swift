import LocalAuthWire

/// A document as a list shows it.
public struct Document: Hashable, Sendable {
  /// A content of a document: the one that stands, or one that another device wrote at the same time.
  public struct Version: Hashable, Sendable, Identifiable {
    /// What the content is named by; equal contents have the same name.
    public let id: String
    /// Its bytes.
    public let size: Int64
    /// When it was written: the time since the first moment of 1970 in UTC, to the millisecond.
    public let modified: Duration
    /// Whether it is the document as programs read it; the others are in conflict with it.
    public let isCurrent: Bool

    /// The version with these properties, as a test compares it.
    public init(id: String, size: Int64, modified: Duration, isCurrent: Bool) {
      self.id = id
      self.size = size
      self.modified = modified
      self.isCurrent = isCurrent
    }
  }

  /// Its name: a path like `notes/today.txt`.
  public let name: String
  /// What its content is named by, as ``Version/id``; nil for a document that was damaged on the disk.
  public let version: String?
  /// Its bytes; nil for a document that was damaged on the disk.
  public let size: Int64?
  /// When it was written: the time since the first moment of 1970 in UTC, to the millisecond; nil if it was damaged.
  public let modified: Duration?
  /// How many versions are in conflict with it.
  public let conflicts: Int
  /// Whether all of its bytes came from the device that wrote it.
  public let isComplete: Bool

  /// The document with these properties, as a test compares it.
  public init(
    name: String,
    version: String?,
    size: Int64?,
    modified: Duration?,
    conflicts: Int,
    isComplete: Bool
  ) {
    self.name = name
    self.version = version
    self.size = size
    self.modified = modified
    self.conflicts = conflicts
    self.isComplete = isComplete
  }
}

/// What another program, or another device, changed in a container.
public enum DocumentChange: Hashable, Sendable {
  /// Any document may be another one: list them.
  ///
  /// The first change is always this one, and so is one after the service was away or the device was erased.
  case all
  /// A document is new, or has another content, or another number of versions, or all of its bytes came.
  case changed(Document)
  /// The document of this name is gone.
  case removed(String)
}

extension Document {
  init(_ listed: DocumentMessages.Listed) {
    self.init(
      name: listed.name,
      version: listed.version,
      size: listed.size,
      modified: listed.modified.map { .milliseconds($0) },
      conflicts: Int(clamping: listed.conflicts),
      isComplete: listed.complete
    )
  }
}

extension Document.Version {
  init(_ version: DocumentMessages.Version) {
    self.init(
      id: version.version,
      size: version.size,
      modified: .milliseconds(version.modified),
      isCurrent: version.current
    )
  }
}

extension DocumentChange {
  init(_ reply: DocumentMessages.WatchReply) {
    if let changed = reply.changed {
      self = .changed(Document(changed))
    } else {
      self = reply.removed.map { .removed($0) } ?? .all
    }
  }
}
