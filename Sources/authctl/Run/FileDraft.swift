import Glibc
import LocalAuthCore
import LocalAuthUnix

/// A file that replaces one that is there, or none, once it is complete.
struct FileDraft {
  private let path: String
  private let consequence: String?
  private let file: ReplacementFile

  /// The descriptor to write to.
  var descriptor: Int32 { file.descriptor }

  /// Begins the file at `path`; it fails before anything is computed if that cannot be written.
  ///
  /// `mode` is for all to read without; `consequence` says what follows if it cannot.
  init(
    _ path: String,
    mode: UInt32 = 0o644,
    orElse consequence: String? = nil
  ) throws(Failure) {
    self.path = path
    self.consequence = consequence
    file = try OutputPlace.begin(path, mode: mode, orElse: consequence)
  }

  /// Writes `text` to it and puts it in its place.
  func keep(_ text: String) throws(Failure) {
    guard Output.write(Array(text.utf8), to: descriptor) else {
      throw unwritable(SystemError("write", code: errno, subject: path))
    }
    try keep()
  }

  /// Makes what was written durable, so that what can still fail is to put it in its place.
  func flush() throws(Failure) {
    do throws(SystemError) { try file.flush() } catch { throw unwritable(error) }
  }

  /// Puts what was written in its place; `consequence` says what follows if that fails.
  func keep(orElse consequence: String? = nil) throws(Failure) {
    do throws(SystemError) { try file.publish() } catch {
      guard file.isInPlace else {
        throw Failure(writing: path, error, consequence ?? self.consequence)
      }
      throw Failure(writing: path, error, "It is there, and need not be after a power failure.")
    }
  }

  /// Gives it its name while it is empty, so that nothing but writing to it can fail afterwards; it replaces nothing.
  func place() throws(Failure) {
    do throws(SystemError) { try file.publish(replacing: false) } catch {
      if file.isInPlace { withdraw() }
      throw unwritable(error)
    }
  }

  /// Takes it away from its place.
  func withdraw() {
    // SAFETY: the path is a C string for the call.
    _ = unsafe unlink(path)
  }

  /// The last bytes that were written, `count` at most; none if they cannot be read.
  func end(_ count: Int) -> [UInt8] {
    let size = Int(lseek(descriptor, 0, SEEK_END))
    var bytes = [UInt8](repeating: 0, count: max(0, min(count, size)))
    // SAFETY: the array's storage is valid for the call and has `count` bytes.
    let read = unsafe pread(descriptor, &bytes, bytes.count, off_t(size - bytes.count))
    return Array(bytes.prefix(max(0, read)))
  }

  private func unwritable(_ error: SystemError) -> Failure {
    Failure(writing: path, error, consequence)
  }
}
