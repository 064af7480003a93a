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
  /// A user would have more than their quota, which the text names; nothing of the commit was done.
  case overQuota(String)
  /// Another process owns it.
  case owned
  /// An item with the same primary key is there already; nothing of the commit was done.
  case duplicate
  /// The item that was to be replaced is not there; nothing of the commit was done.
  case missing
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
    case .overQuota(let most):
      "each user has room for \(most); nothing was changed: delete some"
    case .owned: "another process has it open"
    case .duplicate: "an item with the same primary key is there already"
    case .missing: "the item is not there any more"
    case .failed(let what): what
    }
  }
}

extension Outcome {
  /// Durable state cannot be read or written, so nothing was allowed.
  public init(_ failure: StorageError) {
    self.init(.internalError, detail: "The state cannot be used: \(failure.advice).")
  }
}

/// One change to durable state.
public enum StateChange: Hashable, Sendable {
  /// Stores the whole record of a device, new or changed.
  case device(DeviceRecord)
  /// Forgets a device, with its keybag and its items.
  case deviceRemoved(DeviceIdentity)
  /// Stores the sealed keybag of a device that is stored already, or by the same commit; nil to forget
  /// it.
  ///
  /// A keybag must be committed as ``CommitKind/guarded``: an older one that is put back is then noticed.
  case keybag(DeviceIdentity, [UInt8]?)
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

/// The sealed keybag of a device; the store does not look inside.
public struct StoredKeybag: Hashable, Sendable {
  /// Whose it is.
  public var device: DeviceIdentity
  /// Its bytes, as they were committed; whoever sealed them finds out whether they still are.
  public var sealed: [UInt8]

  /// The keybag of `device`.
  public init(device: DeviceIdentity, sealed: [UInt8]) {
    self.device = device
    self.sealed = sealed
  }
}

/// What a store holds when it is opened.
public struct StoredState: Hashable, Sendable {
  /// Every device.
  public var devices: [DeviceRecord]
  /// Every keybag, also one whose device was lost or is distrusted.
  ///
  /// A keybag that fails its authentication makes its device distrusted at each start until a keybag is
  /// committed again; an older one that was put back makes all devices distrusted.
  public var keybags: [StoredKeybag]
  /// Devices whose record failed its authentication, or all of them when the sequence and its
  /// mirror disagree: they need the passcode before a finger counts again.
  ///
  /// Their records come without ``DeviceRecord/freshness`` and ``DeviceRecord/grants``, and with counts of wrong
  /// passwords that were raised to what can be said of them. A device is trusted again, also after
  /// the next start, once a record of it is committed that holds a passcode stamp: that passcode
  /// was proven or set after this state was loaded.
  public var distrusted: [DeviceIdentity]
  /// Whether devices may have been lost: then a `default` device that is not among ``devices``
  /// begins distrusted, so that nobody sheds strikes by deleting it.
  public var mayHaveLostDevices: Bool
  /// What is wrong with the stored state, in one line for the log; nil where nothing is.
  public var warning: String?

  /// The state with these devices.
  public init(
    devices: [DeviceRecord] = [],
    keybags: [StoredKeybag] = [],
    distrusted: [DeviceIdentity] = [],
    mayHaveLostDevices: Bool = false,
    warning: String? = nil
  ) {
    self.devices = devices
    self.keybags = keybags
    self.distrusted = distrusted
    self.mayHaveLostDevices = mayHaveLostDevices
    self.warning = warning
  }
}

/// Raises the counts of a record that cannot be believed, by the rules that its device is counted by.
public typealias CountRaising = @Sendable (inout DeviceRecord, CountDoubt) -> Void

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

  /// What is known of the counts of a device that is not stored: it may have been lost.
  func doubt(of device: DeviceIdentity) -> CountDoubt

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
