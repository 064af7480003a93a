import Glibc
package import LocalAuthCore
package import LocalAuthUnix
import Synchronization

/// The second copy of the sequence, in a file that is overwritten in place.
package final class FileMirror: SequenceMirroring {
  private let file: Mutex<OverwriteFile>

  package init(in directory: borrowing PrivateDirectory) throws(StorageError) {
    do throws(DurableFileError) {
      file = Mutex(
        try OverwriteFile(
          opening: "sequence",
          in: directory,
          recordSize: mirroredSequenceSize
        )
      )
    } catch {
      throw .failed("\(error)")
    }
  }

  package func read() throws(StorageError) -> [UInt8]? {
    var record = [UInt8](repeating: 0, count: mirroredSequenceSize)
    do throws(DurableFileError) {
      let isWhole = try file.withLock { (file) throws(DurableFileError) in
        var bytes = record.mutableSpan
        // SAFETY: the buffer is the array's own memory, in place during the call.
        return try unsafe bytes.withUnsafeMutableBytes { (buffer) throws(DurableFileError) in
          try unsafe file.read(into: buffer)
        }
      }
      return isWhole ? record : nil
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
  /// What a failed write says about the disk.
  fileprivate init(_ error: SystemError) {
    switch error.code {
    case ENOSPC, EDQUOT: self = .full
    case EACCES, EPERM, EROFS: self = .unwritable("\(error)")
    default: self = .failed("\(error)")
    }
  }
}
