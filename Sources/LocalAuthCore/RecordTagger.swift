/// The port to the key that makes stored records tamper-evident.
public protocol RecordTagger: Sendable {
  /// The 32 bytes that vouch for `message`; nobody without the key can make them.
  func tag(over message: [UInt8]) -> [UInt8]

  /// Whether `tag` vouches for `message`, in a time that does not depend on where they differ.
  ///
  /// False for a tag of any other length.
  func verify(_ tag: [UInt8], over message: [UInt8]) -> Bool
}

/// The port to a copy of the sequence and of the counts beside the database, which shows when an older database is put back.
///
/// The store writes records of one fixed size, ``mirroredSequenceSize``, each over the one before.
public protocol SequenceMirroring: Sendable {
  /// The record written last, or nil when none ever was.
  ///
  /// A record that is damaged or has another size is returned as it is: the store judges it.
  func read() throws(StorageError) -> [UInt8]?

  /// Overwrites the record: every later reader sees it, also when this process ends at once.
  func write(_ record: [UInt8]) throws(StorageError)

  /// Returns when the record written last would survive a loss of power; called on any thread, and
  /// never while a record is being written.
  func sync() throws(StorageError)
}

/// Bytes of the record behind ``SequenceMirroring``: small enough that no disk tears it.
public let mirroredSequenceSize = 496

/// Bytes of the record that version 0.1.0 wrote, which said the sequence only.
public let plainSequenceSize = 64
