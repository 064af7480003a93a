/// Why durable state cannot be read or written.
public enum StorageError: Error, Hashable, Sendable {
  /// The state is damaged; the text says what is wrong with which file.
  case corrupt(String)
  /// A newer LocalAuth wrote it.
  case fromTheFuture(format: Int64)
  /// Permissions or a read-only file system forbid writing.
  case unwritable(String)
  /// The disk is full.
  case full
  /// Another process owns it.
  case owned
  /// Any other failure of input or output.
  case failed(String)

  /// What is wrong and what to do, in one line.
  public var advice: String {
    switch self {
    case .corrupt(let what): "\(what); nothing was changed: put a backup back"
    case .fromTheFuture(let format):
      "it was written by a newer LocalAuth (format \(format)); nothing was changed"
    case .unwritable(let what): "it cannot be written: \(what)"
    case .full: "the disk is full; nothing was changed"
    case .owned: "another process has it open"
    case .failed(let what): what
    }
  }
}

/// One change to durable state.
public enum StateChange: Hashable, Sendable {
  /// Stores the whole record of a device, new or changed.
  case device(DeviceRecord)
  /// Forgets a device.
  case deviceRemoved(DeviceIdentity)
  /// Writes an audit line, or replaces the line of the same id.
  case audit(AuditRecord)
}

/// Whether losing a commit would help a thief.
public enum CommitKind: Hashable, Sendable {
  /// A charge or an administrative change: the sequence moves on and its mirror is synced too, so
  /// that putting an older database back is noticed.
  case guarded
  /// An outcome, a refund, an audit line: losing it costs an attempt at worst.
  case ordinary
}

/// What a store holds when it is opened.
public struct StoredState: Hashable, Sendable {
  /// Every device.
  public var devices: [DeviceRecord]
  /// Devices whose record failed its authentication, or all of them when the sequence and its
  /// mirror disagree: they need the passcode before a finger counts again.
  ///
  /// Their records come without ``DeviceRecord/freshness``. A device is trusted again, also after
  /// the next start, once a record of it is committed that holds a passcode stamp: that passcode
  /// was proven or set after this state was loaded.
  public var distrusted: [DeviceIdentity]
  /// Whether devices may have been lost: then a `default` device that is not among ``devices``
  /// begins distrusted, so that nobody sheds strikes by deleting it.
  public var mayHaveLostDevices: Bool

  /// The state with these devices.
  public init(
    devices: [DeviceRecord] = [],
    distrusted: [DeviceIdentity] = [],
    mayHaveLostDevices: Bool = false
  ) {
    self.devices = devices
    self.distrusted = distrusted
    self.mayHaveLostDevices = mayHaveLostDevices
  }
}

/// The port to durable state.
public protocol StateStoring: Sendable {
  /// Makes all `changes` durable in one transaction, in the order of the calls.
  ///
  /// `completion` runs on a thread of the store's own, once. On failure act as if nothing was
  /// changed; a guarded commit whose mirror could not be written may still be there after a restart.
  func commit(
    _ changes: [StateChange],
    _ kind: CommitKind,
    completion: @escaping @Sendable (Result<Void, StorageError>) -> Void
  )

  /// The newest `limit` audit lines of `owner` that come after `cursor`, oldest first, and the
  /// cursor to go on from; a device's only, where one is named.
  func audit(
    owner: UInt32,
    device: String?,
    after cursor: Int64?,
    limit: Int
  )
    throws(StorageError) -> (lines: [AuditRecord], cursor: Int64)
}
