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
  /// The commit would exceed a user's quota, which the text names; nothing was committed.
  case overQuota(String)
  /// Another process owns it.
  case owned
  /// An item with the same primary key exists already; nothing was committed.
  case duplicate
  /// The item to replace does not exist; nothing was committed.
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
  /// Removes a device with its keybag, its items and what it keeps of its synchronization.
  case deviceRemoved(DeviceIdentity)
  /// Stores the sealed keybag of a device that is stored already, or by the same commit; nil
  /// removes it.
  ///
  /// A keybag must be committed as ``CommitKind/guarded``, so that putting an older one back is
  /// noticed.
  case keybag(DeviceIdentity, [UInt8]?)
  /// Stores a row of the synchronization of a device that is stored already, or by the same commit.
  case syncRow(DeviceIdentity, SealedRow)
  /// Stores how far such a device verified what others sent it; nil forgets that.
  ///
  /// It must be committed as ``CommitKind/guarded``, so that putting an older one back is noticed.
  case watermarks(DeviceIdentity, [UInt8]?)
  /// Writes an audit line, or replaces the line of the same id.
  case audit(AuditRecord)
}

/// Whether losing a commit would help a thief.
public enum CommitKind: Hashable, Sendable {
  /// A charge or an administrative change: the sequence advances and its mirror is synced too, so
  /// that putting an older database back is noticed.
  case guarded
  /// An outcome, a refund or an audit line: losing it costs an attempt at worst.
  case ordinary
}

/// The sealed keybag of a device; the store does not look inside.
public struct StoredKeybag: Hashable, Sendable {
  /// The device it belongs to.
  public var device: DeviceIdentity
  /// Its bytes as committed; the code that sealed them detects any change.
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
  /// Every keybag, including one whose device was lost or is distrusted.
  ///
  /// A keybag that fails authentication makes its device distrusted at each start until a keybag is
  /// committed again; an older one that was put back makes all devices distrusted.
  public var keybags: [StoredKeybag]
  /// How far each device verified what others sent it, as far as that is authentic.
  public var watermarks: [DeviceIdentity: [UInt8]] = [:]
  /// Devices whose record failed authentication, or all of them if the sequence and its mirror
  /// disagree: they need the passcode before a finger counts again.
  ///
  /// Their records come without ``DeviceAttempts/freshness`` and ``DeviceRecord/grants``, and with
  /// counts of wrong passwords raised to what is known of them. A device is trusted again, also
  /// after the next start, once a record of it with a passcode stamp is committed: that passcode
  /// was proven or set after this state was loaded.
  public var distrusted: [DeviceIdentity]
  /// Whether devices may have been lost: a `default` device that is not among ``devices`` then
  /// begins distrusted, so that nobody sheds misses by deleting it.
  public var mayHaveLostDevices: Bool
  /// What is wrong with the stored state, in one line for the log; nil if nothing is.
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

/// Raises the counts of an untrusted record, under the rules of its device.
public typealias CountRaising = @Sendable (inout DeviceRecord, CountDoubt) -> Void

/// The port to durable state.
public protocol StateStoring: Sendable {
  /// Makes all `changes` durable in one transaction, in the order of the calls.
  ///
  /// `completion` runs once, on a thread of the store. After a failure, act as if nothing was
  /// changed; a guarded commit whose mirror could not be written may still be there after a
  /// restart.
  func commit(
    _ changes: [StateChange],
    _ kind: CommitKind,
    completion: @escaping @Sendable (Result<Void, StorageError>) -> Void
  )

  /// What is known of the counts of a device that is not stored and may have been lost.
  func doubt(of device: DeviceIdentity) -> CountDoubt

  /// The newest `limit` audit lines of `owner`, oldest first; only those of `device` if given, and
  /// only those stored before the line `before` if given.
  ///
  /// Nothing is before a line that is not stored any more: lines go by age.
  func audit(
    owner: UInt32,
    device: String?,
    before: EvaluationID?,
    limit: Int
  ) throws(StorageError) -> [AuditRecord]
}

extension StateStoring {
  /// The newest `limit` audit lines of `owner`, oldest first; only those of `device` if given.
  public func audit(
    owner: UInt32,
    device: String?,
    limit: Int
  ) throws(StorageError) -> [AuditRecord] {
    try audit(owner: owner, device: device, before: nil, limit: limit)
  }
}
