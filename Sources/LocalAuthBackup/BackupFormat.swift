/// The format `LAB1`: a header, the records in sealed chunks, and a sealed trailer.
///
/// | bytes        | what                                                                  |
/// |--------------|-----------------------------------------------------------------------|
/// | 1024         | ``BackupHeader``                                                      |
/// | 65564 each   | chunks of 64 KiB of records; only the last of them may be shorter     |
/// | 77           | the trailer: how many records and chunks there are, and their digest  |
///
/// A chunk is a random nonce, its ciphertext and a tag, by AES-256-GCM. It is bound to the backup, to its
/// index and to whether it is the trailer, so that no chunk can be moved, left out or taken from another
/// backup.
public enum BackupFormat {
  /// The version that is written.
  public static let version: UInt8 = 1
  /// The bytes of a header.
  public static let headerSize = 1024
  /// The bytes of records in a chunk.
  public static let chunkContent = 64 * 1024
  /// The bytes of a sealed text beside its content.
  public static let overhead = 28
  /// The bytes of a tag.
  public static let tagSize = 16
  /// The bytes of a whole chunk.
  public static let chunkSize = chunkContent + overhead
  /// The bytes of what is in a trailer.
  public static let trailerContent = 49
  /// The bytes of a trailer.
  public static let trailerSize = trailerContent + overhead
  /// The bytes of the shortest backup, which has no record.
  public static let leastSize = headerSize + trailerSize
  /// The bytes of a backup's identifier.
  public static let identifierSize = 16
  /// The bytes of the salt.
  public static let saltSize = 16
  /// The bytes of a pair of class keys as the header keeps it.
  public static let wrappedKeySize = 64 + overhead
  /// The bytes of the header's code.
  public static let macSize = 32
  /// The longest device label, in bytes.
  public static let labelMax = 64
  /// The shortest password of a new backup, in characters.
  public static let passwordCharactersMin = 12
  /// The longest password, in bytes.
  public static let passwordBytesMax = 1024
  /// The largest record, in bytes, so that a crafted one cannot take all memory.
  public static let recordMax = 4 << 20
}

/// Why a backup cannot be made or read.
public enum BackupError: Error, Hashable, Sendable {
  /// It is no backup.
  case notABackup
  /// Only a reader of this version, or a newer one, can read it.
  case newer(UInt8)
  /// Deriving its key would take more memory or passes than a reader accepts.
  case tooExpensive
  /// A guess at its password would cost less than this installation allows.
  case tooCheap
  /// It is opened by a password, and none was given.
  case passwordNeeded
  /// The password is wrong, or the header was changed; nothing tells one from the other.
  case wrongPassword
  /// It was made to be opened by one device alone, and this is another one, or the header was changed.
  case otherDevice
  /// It was changed, cut, or put together from parts of others.
  case damaged
  /// There is not enough memory for its cost.
  case outOfMemory
}
