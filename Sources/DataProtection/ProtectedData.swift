public import Foundation
import LocalAuth
import LocalAuthFiles
import LocalAuthKeychain
import LocalAuthSecret

/// Files that are protected where Foundation on Linux takes the options and writes the content as it is.
///
/// The calls of a target that uses the plugin `DataProtectionPlugin` arrive here: its own `Data.write(to:options:)`
/// and the like take the place of Foundation's. Errors are Foundation's, with those of `LocalAuthFiles` below
/// them. Any thread may call it.
public enum ProtectedData {
  /// Writes `data` to `url`, protected as `options` say.
  ///
  /// Without a protection among the options the file keeps the one that it has, and a new file gets that of
  /// its directory; where neither has one, Foundation writes it. A file of which it cannot be told whether it is
  /// protected stays as it is.
  ///
  /// - Parameters:
  ///   - data: The content.
  ///   - url: A file URL.
  ///   - options: Foundation's; a protected file is always written atomically.
  /// - Throws: `CocoaError`; what was there is unchanged then, unless only its name is not durable.
  public static func write(
    _ data: Data,
    to url: URL,
    options: Data.WritingOptions = []
  ) throws {
    let path = try path(of: url)
    guard let protection = try FileProtection(options) ?? inherited(at: path) else {
      return try data.write(to: url, options: options)
    }
    try CocoaError.translating(writing: path) { () throws(FileFailure) in
      let files = try ProtectedFilesOfDevice.current()
      try files.write(
        data.bytes,
        to: path,
        protection,
        mode: 0o644,
        replacing: !options.contains(.withoutOverwriting)
      )
    }
  }

  /// The content of the file at `url`, also if it is protected.
  ///
  /// - Parameters:
  ///   - url: Any URL that Foundation reads.
  ///   - options: Foundation's; they count for a file that is not protected.
  /// - Returns: the content, which nothing wipes.
  /// - Throws: `CocoaError`, with the code `fileReadNoPermission` (257) while the device keeps the file locked.
  public static func contents(
    of url: URL,
    options: Data.ReadingOptions = []
  ) throws -> Data {
    guard let path = try protectedPath(of: url) else {
      return try Data(contentsOf: url, options: options)
    }
    return try content(at: path, of: url)
  }

  /// The content of the protected file at `path`, to which `url` leads.
  static func content(at path: String, of url: URL) throws -> Data {
    try CocoaError.translating(reading: url.path) { () throws(FileFailure) in
      let content = try ProtectedFilesOfDevice.current().read(path)
      // SAFETY: the bytes are copied within the call.
      return unsafe content.withUnsafeBytes { unsafe Data($0) }
    }
  }

  /// Makes a file, protected as the attribute `protectionKey` says; see ``write(_:to:options:)``.
  ///
  /// - Parameters:
  ///   - path: The file's path.
  ///   - contents: What the file has; nothing if it is nil.
  ///   - attributes: Foundation's.
  /// - Returns: whether it was made.
  public static func createFile(
    atPath path: String,
    contents: Data?,
    attributes: [FileAttributeKey: Any]?
  ) -> Bool {
    var others = attributes ?? [:]
    let wanted = others.removeValue(forKey: .protectionKey)
    do {
      guard
        let protection = try wanted.map({ try FileProtection(attribute: $0) })
          ?? inherited(at: resolved(path))
      else {
        return FileManager.default.createFile(
          atPath: path,
          contents: contents,
          attributes: attributes
        )
      }
      let url = URL(fileURLWithPath: path)
      try write(contents ?? Data(), to: url, options: protection.writingOptions)
      if !others.isEmpty { try FileManager.default.setAttributes(others, ofItemAtPath: path) }
      return true
    } catch {
      return false
    }
  }

  /// The path that a write to `url` goes to.
  static func path(of url: URL) throws -> String {
    guard url.isFileURL else { throw CocoaError(.fileWriteUnsupportedScheme) }
    return resolved(url.path)
  }
}
