import Foundation
import Glibc
import LocalAuthFiles
import LocalAuthKeychain

/// What is at a path: Foundation would write plaintext over a file that is not known for a protected one.
extension ProtectedData {
  /// Whether a protected file is at `path`.
  ///
  /// - Throws: ``FileFailure`` where that cannot be told: it may be one.
  static func isProtected(_ path: String) throws(FileFailure) -> Bool {
    do throws(FileFailure) { return try ProtectedFiles.hasHeader(path) } catch {
      switch error {
      // Nothing is there, or what keeps no content. A link was followed: what still is one was put there meanwhile.
      case .file(.system(_, ENOENT)), .file(.system(_, ENOTDIR)), .notRegular: return false
      // Many of these can be written and not read.
      case .file(.system) where ProtectedFiles.isOfKernel(path): return false
      default: throw error
      }
    }
  }

  /// The protection that a file at `path` has, or else its directory as a default; nil if neither has one.
  static func inherited(at path: String) throws -> FileProtection? {
    try CocoaError.translating(writing: path) { () throws(FileFailure) in
      if try isProtected(path) {
        return try ProtectedFilesOfDevice.current().status(of: path)?.protection
      }
      return try directoryDefault(of: URL(fileURLWithPath: path).deletingLastPathComponent().path)
    }
  }

  /// The default of a directory; nil if it has none, or is not there, which Foundation tells.
  static func directoryDefault(of directory: String) throws(FileFailure) -> FileProtection? {
    do throws(FileFailure) { return try DirectoryDefault.of(directory) } catch {
      switch error {
      case .file(.system(_, ENOENT)), .file(.system(_, ENOTDIR)): return nil
      default: throw error
      }
    }
  }

  /// The path of the file at `url`; nil unless it is protected.
  static func protectedPath(of url: URL) throws -> String? {
    guard url.isFileURL else { return nil }
    let path = resolved(url.path)
    return try CocoaError.translating(reading: url.path) { () throws(FileFailure) in
      try isProtected(path) ? path : nil
    }
  }

  /// What the path leads to, as the system finds it: Foundation follows a link, so a protection must.
  ///
  /// A link to what is not there leads to where Foundation makes it.
  static func resolved(_ path: String) -> String {
    var path = path
    for _ in 0..<linksMax {
      if let found = found(path) { return found }
      guard let target = try? FileManager.default.destinationOfSymbolicLink(atPath: path) else {
        break
      }
      let directory = URL(fileURLWithPath: path).deletingLastPathComponent().path
      path = target.hasPrefix("/") ? target : "\(directory)/\(target)"
    }
    return path
  }

  /// As many links behind each other as Linux follows.
  private static let linksMax = 40

  private static func found(_ path: String) -> String? {
    // SAFETY: the string is a C string for the call, which returns memory of its own or nil.
    guard let found = unsafe realpath(path, nil) else { return nil }
    defer { unsafe free(found) }
    return unsafe String(cString: found)
  }
}
