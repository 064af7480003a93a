public import Foundation
import Glibc
import LocalAuthFiles
import LocalAuthKeychain

extension ProtectedData {
  /// Makes a directory whose new files are protected as the attribute `protectionKey` says.
  ///
  /// Without that attribute it has the default of the directory that it is in, as on Apple's systems.
  ///
  /// - Parameters:
  ///   - path: The directory's path.
  ///   - makesOthers: Whether the directories that lead there are made too, with the same default.
  ///   - attributes: Foundation's.
  /// - Throws: `CocoaError`; then nothing has been made.
  public static func createDirectory(
    atPath path: String,
    withIntermediateDirectories makesOthers: Bool,
    attributes: [FileAttributeKey: Any]?
  ) throws {
    var others = attributes ?? [:]
    let wanted = try others.removeValue(forKey: .protectionKey).map {
      try FileProtection(attribute: $0)
    }
    let (missing, place) = missingDirectories(path)
    let protection = try wanted ?? (missing.isEmpty ? nil : inherited(by: place))
    try FileManager.default.createDirectory(
      atPath: path,
      withIntermediateDirectories: makesOthers,
      attributes: others.isEmpty ? nil : others
    )
    guard let protection else { return }
    do {
      for directory in missing.isEmpty ? [path] : missing {
        try CocoaError.translating(writing: directory) { () throws(FileFailure) in
          try DirectoryDefault.set(protection, of: directory)
        }
      }
    } catch {
      // SAFETY: the path is a C string for the call.
      for directory in missing.reversed() { _ = unsafe rmdir(directory) }
      throw error
    }
  }

  /// The default that directories have which are made in the one at `place`.
  private static func inherited(by place: String) throws -> FileProtection? {
    try CocoaError.translating(writing: place) { () throws(FileFailure) in
      try directoryDefault(of: place)
    }
  }

  /// The directories on the way to `path` that are not there, the outermost first, and the one that they will be in.
  private static func missingDirectories(_ path: String) -> (missing: [String], place: String) {
    var missing: [String] = []
    var url = URL(fileURLWithPath: path).standardizedFileURL
    while url.path != "/", !FileManager.default.fileExists(atPath: url.path) {
      missing.insert(url.path, at: 0)
      url.deleteLastPathComponent()
    }
    return (missing, url.path)
  }
}
