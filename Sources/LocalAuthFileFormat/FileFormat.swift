import LocalAuthKeychain

/// The format `LAF1`: two slots for the header, and the content in sealed chunks.
///
/// The slots of a journal are behind one that stays empty: an SQLite that knows no protected files takes a journal for
/// its own unless it begins with a zero, and deletes it.
/// Behind the last chunk of a journal that refers to a super-journal the reference stands in clear, as SQLite writes it.
///
/// While a file in general is written, a chunk may be kept behind the last one: see ``KeptChunk``.
///
/// A chunk is a random nonce, its ciphertext and a tag, by AES-256-GCM. The last one is shorter, or
/// empty in an empty file, and is there in every file, so that a file that was cut is not whole.
public enum FileFormat {
  /// The bytes of a header's slot.
  static let slotSize = 2048
  /// Where a header may stand: in the first two of these, or in a journal in the last two.
  static let slots = [0, slotSize, 2 * slotSize]
  static let nonceSize = 12
  static let tagSize = 16
  /// The bytes of a chunk beside its content.
  static let overhead = nonceSize + tagSize
  /// What a chunk's content may have; a power of two.
  static let chunkSizes = 4 * 1024...64 * 1024
  /// The bytes of a file's key.
  public static let keySize = 32
  /// The bytes of a file's identifier.
  public static let identifierSize = WrappedFileKey.identifierSize
  /// How many chunks may be sealed under one key.
  ///
  /// With 2^31 random nonces of 96 bits the chance that two are equal is 2^-35.
  static let sealsMax: UInt64 = 1 << 31
  /// The eight bytes with which SQLite begins a rollback journal, and ends a reference in one to a super-journal.
  package static let sqliteJournalMagic: [UInt8] = [
    0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7,
  ]
  /// The longest wrapped key, in bytes.
  public static let wrappedKeyMax = 255
}

/// How the content of a file is divided into chunks.
public enum FileLayout: UInt8, Sendable {
  /// Chunks of 16 KiB, the last of which says that it is the last: for files in general.
  case stream = 0
  /// Chunks of 4 KiB, none of which says so: for databases, which overwrite pages in place and journal what
  /// they overwrite. A file that grows leaves the chunk alone that was the last one.
  case pages = 1
  /// Like ``pages``, with a place for one chunk more, to which a chunk goes before it is overwritten: for journals of
  /// databases, which append to a chunk that holds what was committed.
  case journal = 2

  /// The bytes of content in a chunk of a new file.
  public var chunkSize: Int {
    switch self {
    case .stream: 16 * 1024
    case .pages, .journal: 4 * 1024
    }
  }
}

/// Why a protected file cannot be opened, read or written.
public enum ProtectedFileError: Error, Hashable, Sendable {
  /// It is no protected file.
  case notProtected
  /// It was made by a newer version of this format.
  case newer(UInt8)
  /// It was changed, cut, or put together from parts of others.
  case damaged
  /// A program ended while it wrote the file: each part is genuine, but not that they belong together.
  case notSealed
  /// The key is not the file's.
  case wrongKey
  /// The key is not there, because of the state of the device.
  case locked
  /// Another program has it open.
  case busy
  /// It was closed.
  case closed
  /// It was opened for reading.
  case readOnly
  /// Its key has sealed as many chunks as it may: copy the content to a new file.
  case keyIsUsedUp
  /// A system call failed.
  case system(call: String, code: Int32)
}
