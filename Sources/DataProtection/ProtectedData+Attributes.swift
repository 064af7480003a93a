public import Foundation
import LocalAuthFiles
import LocalAuthKeychain

extension ProtectedData {
  /// Sets attributes of the file or directory at `path`; with `protectionKey` the file is protected in its
  /// place, and new files in the directory from then on.
  ///
  /// - Parameters:
  ///   - attributes: Foundation's.
  ///   - path: The file's or directory's path.
  /// - Throws: `CocoaError`; where the file system keeps no default of a directory, that is an error too.
  public static func setAttributes(
    _ attributes: [FileAttributeKey: Any],
    ofItemAtPath path: String
  ) throws {
    var others = attributes
    if let wanted = others.removeValue(forKey: .protectionKey) {
      let protection = try FileProtection(attribute: wanted)
      try CocoaError.translating(writing: path) { () throws(FileFailure) in
        try protect(path, protection)
      }
    }
    guard !others.isEmpty else { return }
    try FileManager.default.setAttributes(others, ofItemAtPath: path)
  }

  /// Attributes of the file or directory at `path`, with `protectionKey` if it is protected; the size is that
  /// of the content.
  ///
  /// Of a file that the caller may not read nothing says whether it is protected.
  ///
  /// - Parameter path: The file's or directory's path.
  /// - Returns: Foundation's attributes, and the protection.
  /// - Throws: `CocoaError`.
  public static func attributesOfItem(atPath path: String) throws -> [FileAttributeKey: Any] {
    var attributes = try FileManager.default.attributesOfItem(atPath: path)
    attributes[.protectionKey] = nil
    // Nothing else keeps content, and some of it does not open, or does something when it is opened.
    switch attributes[.type] as? FileAttributeType {
    case .typeDirectory?: attributes[.protectionKey] = try? DirectoryDefault.of(path)?.type
    case .typeRegular?:
      let status = try CocoaError.translating(reading: path) { () throws(FileFailure) in
        try isKnownAsProtected(path) ? ProtectedFilesOfDevice.current().status(of: path) : nil
      }
      guard let status else { return attributes }
      attributes[.protectionKey] = status.protection.type
      // While the device keeps it locked nobody knows the size.
      if let length = status.content?.length { attributes[.size] = NSNumber(value: length) }
    default: break
    }
    return attributes
  }

  /// Attributes are nobody's content: they are there of a file that the caller may not read, too, and of a link.
  private static func isKnownAsProtected(_ path: String) throws(FileFailure) -> Bool {
    do throws(FileFailure) { return try isProtected(path) } catch {
      switch error {
      case .file(.system(_, EACCES)), .symbolicLink: return false
      default: throw error
      }
    }
  }

  private static func protect(
    _ path: String,
    _ protection: FileProtection
  ) throws(FileFailure) {
    var isDirectory: ObjCBool = false
    // SAFETY: the flag lives for the call.
    _ = unsafe FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory)
    guard !isDirectory.boolValue else { return try DirectoryDefault.set(protection, of: path) }
    let files = try ProtectedFilesOfDevice.current()
    switch try files.status(of: path)?.protection {
    case nil: try files.protect(path, protection)
    case protection: break
    case _?: _ = try files.reclass(path, to: protection)
    }
  }
}
