import Glibc
import LocalAuthBackup
import LocalAuthCore
import LocalAuthFiles
import LocalAuthUnix

/// A backup's file that is read.
struct BackupFile: ~Copyable {
  let path: String
  /// The header, of which nothing is verified.
  let header: BackupHeader
  private let file: FileDescriptor
  private let size: Int

  /// Opens the file at `path` and reads its header.
  init(_ path: String) throws(Failure) {
    let opened = FileDescriptor(
      owning: try Failure.translating(path) { () throws(FileFailure) in
        try SourceFile.open(path, O_RDONLY)
      }
    )
    var status = stat()
    // SAFETY: the structure lives for the call.
    guard unsafe fstat(opened.rawValue, &status) == 0 else {
      throw Failure(.usage, errno: errno, "\(path) cannot be read")
    }
    let bytes = try Self.read(opened, path, 0, BackupFormat.headerSize)
    let found: BackupHeader
    do throws(BackupError) { found = try BackupHeader(unverified: bytes) } catch {
      throw Failure(error, path)
    }
    guard status.st_size >= BackupFormat.leastSize else {
      throw Failure(BackupError.damaged, path)
    }
    header = found
    size = Int(status.st_size)
    file = opened
    self.path = path
  }

  /// How many chunks there are.
  var chunks: Int {
    let bytes = size - BackupFormat.leastSize
    return (bytes + BackupFormat.chunkSize - 1) / BackupFormat.chunkSize
  }

  /// A chunk.
  func chunk(_ index: Int) throws(Failure) -> [UInt8] {
    let start = BackupFormat.headerSize + index * BackupFormat.chunkSize
    let end = min(start + BackupFormat.chunkSize, size - BackupFormat.trailerSize)
    return try Self.read(file, path, start, end - start)
  }

  /// The end of the file.
  func trailer() throws(Failure) -> [UInt8] {
    try Self.read(file, path, size - BackupFormat.trailerSize, BackupFormat.trailerSize)
  }

  private static func read(
    _ file: borrowing FileDescriptor,
    _ path: String,
    _ offset: Int,
    _ count: Int
  ) throws(Failure) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    do throws(SystemError) {
      let read = unsafe bytes.withUnsafeMutableBytes { room in
        Result { () throws(SystemError) in try unsafe file.read(room, at: offset) }
      }
      return Array(bytes.prefix(try read.get()))
    } catch { throw Failure(.usage, errno: error.code, "\(path) cannot be read") }
  }
}

extension Failure {
  /// Why a file is no backup that can be read.
  init(_ error: BackupError, _ path: String) {
    switch error {
    case .notABackup: self.init(.usage, "\(path) is no backup.")
    case .newer(let version):
      self.init(
        .keychainError,
        "\(path) needs version \(version) of the format: a newer authctl reads it."
      )
    case .tooExpensive, .tooCheap:
      self.init(.keychainError, "\(path) asks for a cost that is not accepted.")
    case .passwordNeeded, .wrongPassword, .otherDevice, .damaged, .outOfMemory:
      self.init(.keychainError, "\(path) was changed or cut: it is not what was written.")
    }
  }
}
