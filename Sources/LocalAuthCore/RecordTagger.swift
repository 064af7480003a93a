/// The port to the key that makes stored records tamper-evident.
public protocol RecordTagger: Sendable {
  /// The 32-byte tag that authenticates `message`; only the holder of the key can make it.
  func tag(over message: [UInt8]) -> [UInt8]

  /// Whether `tag` authenticates `message`, in a time that does not depend on where they differ.
  ///
  /// False for a tag of any other length.
  func verify(_ tag: [UInt8], over message: [UInt8]) -> Bool
}

/// The port to a copy of the sequence and the counts outside the database, which shows when an
/// older database is put back.
///
/// The store writes records of one fixed size, ``mirroredSequenceSize``, each over the previous
/// one.
public protocol SequenceMirroring: Sendable {
  /// The last record written, or nil if there is none.
  ///
  /// A record that is damaged or of another size is returned unchanged: the store judges it.
  func read() throws(StorageError) -> [UInt8]?

  /// Overwrites the record; every later reader sees it, even if this process ends at once.
  func write(_ record: [UInt8]) throws(StorageError)

  /// Returns once the last record written would survive a loss of power; called on any thread, and
  /// never while a record is being written.
  func sync() throws(StorageError)
}

/// The size in bytes of the record of ``SequenceMirroring``, small enough that no disk tears it.
public let mirroredSequenceSize = 496

/// The size in bytes of the record that version 0.1.0 wrote, which held only the sequence.
public let plainSequenceSize = 64
