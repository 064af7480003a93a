import Glibc
import LocalAuthCore
import LocalAuthFiles
import LocalAuthUnix

/// Where a file is made by name, and perhaps in another one's place.
enum OutputPlace {
  /// Fails where the new file would take the place of a protected one, or lie among the daemon's own state.
  static func check(_ path: String) throws(Failure) {
    guard !StateDirectory.contains(directoryOf: path) else {
      throw Failure(
        .notPermitted,
        "\(path) would lie among LocalAuth's own state: name a file in another directory."
      )
    }
    let isProtected: Bool
    do throws(FileFailure) { isProtected = try ProtectedFiles.hasHeader(path) } catch {
      switch error {
      case .file(.system(_, EACCES)): throw Failure(error, path)
      // Making the file tells what is wrong with its place.
      case .file(.system), .symbolicLink, .notRegular: return
      default: isProtected = true
      }
    }
    guard !isProtected else {
      throw Failure(
        .usage,
        "\(path) is a protected file, whose content would be lost: name another file, or remove it."
      )
    }
  }

  /// Begins the file that will be at `path`, of a mode that the mask for new files reduces.
  ///
  /// `consequence` says what follows if it cannot be made.
  static func begin(
    _ path: String,
    mode: UInt32 = 0o600,
    orElse consequence: String? = nil
  ) throws(Failure) -> ReplacementFile {
    try check(path)
    do throws(SystemError) { return try ReplacementFile(at: path, mode: mode) } catch {
      throw Failure(writing: path, error, consequence)
    }
  }
}
