import Glibc
package import LocalAuthCore
package import LocalAuthUnix
import Synchronization

/// A copy of the sequence and of the counts, in a file that is overwritten in place.
package final class FileMirror: SequenceMirroring {
  /// The name of the copy that every guarded commit waits for.
  package static let name = "sequence"
  /// The name of the other copy, unlike that of a database, so that restoring databases does not
  /// restore it by chance.
  package static let copyName = "watermark"

  private let file: Mutex<OverwriteFile>
  /// The record that version 0.1.0 left in the file, used until a new one is written.
  private let plain: Mutex<[UInt8]?>

  package init(
    _ name: String,
    in directory: borrowing PrivateDirectory
  ) throws(StorageError) {
    do throws(DurableFileError) {
      plain = Mutex(try Self.plainRecord(name, in: directory))
      file = Mutex(
        try OverwriteFile(opening: name, in: directory, recordSize: mirroredSequenceSize)
      )
    } catch {
      throw .failed("\(error)")
    }
  }

  /// Reads the record of version 0.1.0; nil if the file does not hold one.
  private static func plainRecord(
    _ name: String,
    in directory: borrowing PrivateDirectory
  ) throws(DurableFileError) -> [UInt8]? {
    guard let file = try OverwriteFile(existing: name, in: directory, recordSize: plainSequenceSize)
    else { return nil }
    return try record(of: file)
  }

  private static func record(
    of file: borrowing OverwriteFile
  ) throws(DurableFileError) -> [UInt8]? {
    var record = [UInt8](repeating: 0, count: file.recordSize)
    var bytes = record.mutableSpan
    // SAFETY: the buffer is the array's own memory, in place during the call.
    let isWhole = try unsafe bytes.withUnsafeMutableBytes { (buffer) throws(DurableFileError) in
      try unsafe file.read(into: buffer)
    }
    return isWhole ? record : nil
  }

  package func read() throws(StorageError) -> [UInt8]? {
    do throws(DurableFileError) {
      let record = try file.withLock { (file) throws(DurableFileError) in
        try Self.record(of: file)
      }
      return record ?? plain.withLock { $0 }
    } catch {
      throw .failed("\(error)")
    }
  }

  package func write(_ record: [UInt8]) throws(StorageError) {
    do throws(SystemError) {
      try file.withLock { (file) throws(SystemError) in
        // SAFETY: the bytes are the array's own memory, in place during the call.
        try unsafe record.span.withUnsafeBytes { (bytes) throws(SystemError) in
          try unsafe file.write(bytes)
        }
      }
    } catch {
      throw StorageError(error)
    }
  }

  package func sync() throws(StorageError) {
    do throws(SystemError) {
      try file.withLock { (file) throws(SystemError) in try file.sync() }
    } catch {
      throw StorageError(error)
    }
  }
}

extension StorageError {
  /// Maps a failed write to what it means for the disk.
  fileprivate init(_ error: SystemError) {
    switch error.code {
    case ENOSPC, EDQUOT: self = .full
    case EACCES, EPERM, EROFS: self = .unwritable("\(error)")
    default: self = .failed("\(error)")
    }
  }
}
