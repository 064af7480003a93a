import Glibc
import LocalAuthCore
import LocalAuthUnix

/// A file for all to read that replaces one that is there, or none, once it is complete.
struct FileDraft {
  private let path: String
  private let file: ReplacementFile

  /// The descriptor to write to.
  var descriptor: Int32 { file.descriptor }

  /// Begins the file at `path`; it fails before anything is computed if that cannot be written.
  init(_ path: String) throws(Failure) {
    self.path = path
    do throws(SystemError) {
      file = try ReplacementFile(at: path, mode: 0o644)
    } catch { throw Self.unwritable(path, error) }
  }

  /// Writes `text` to it and puts it in its place.
  func keep(_ text: String) throws(Failure) {
    guard Output.write(Array(text.utf8), to: descriptor) else {
      throw Self.unwritable(path, SystemError("write", code: errno, subject: path))
    }
    try keep()
  }

  /// Puts what was written in its place.
  func keep() throws(Failure) {
    do throws(SystemError) { try file.publish() } catch { throw Self.unwritable(path, error) }
  }

  private static func unwritable(_ path: String, _ error: SystemError) -> Failure {
    Failure(writing: path, error)
  }
}
