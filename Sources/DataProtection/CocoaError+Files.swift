import Foundation
import LocalAuthFiles

extension CocoaError {
  /// Runs `body`, which writes the file at `path`.
  static func translating<Value>(
    writing path: String,
    _ body: () throws(FileFailure) -> Value
  ) throws -> Value {
    do throws(FileFailure) { return try body() } catch {
      throw error.cocoaError(path, noPermission: .fileWriteNoPermission, other: .fileWriteUnknown)
    }
  }

  /// Runs `body`, which reads the file at `path`.
  static func translating<Value>(
    reading path: String,
    _ body: () throws(FileFailure) -> Value
  ) throws -> Value {
    do throws(FileFailure) { return try body() } catch {
      throw error.cocoaError(path, noPermission: .fileReadNoPermission, other: .fileReadUnknown)
    }
  }
}

extension FileFailure {
  /// The error that Foundation has for it; a locked file is one without permission, as on Apple's systems.
  fileprivate func cocoaError(
    _ path: String,
    noPermission: CocoaError.Code,
    other: CocoaError.Code
  ) -> CocoaError {
    var details: [String: Any] = [
      NSFilePathErrorKey: path, NSLocalizedDescriptionKey: message(about: path),
    ]
    details[NSUnderlyingErrorKey] = posixCode.map { POSIXError($0) } ?? self as any Error
    return CocoaError(code(noPermission: noPermission, other: other), userInfo: details)
  }

  private func code(noPermission: CocoaError.Code, other: CocoaError.Code) -> CocoaError.Code {
    switch self {
    case .file(.locked), .foreignOwner, .immutable, .closedDirectory, .serviceState:
      noPermission
    case .file(.damaged), .file(.notSealed), .file(.newer): .fileReadCorruptFile
    case .file(.system(_, ENOENT)):
      other == .fileReadUnknown ? .fileReadNoSuchFile : .fileNoSuchFile
    case .file(.system(_, EEXIST)): .fileWriteFileExists
    case .file(.system(_, ENOSPC)): .fileWriteOutOfSpace
    case .file(.system(_, EACCES)), .file(.system(_, EPERM)): noPermission
    default: other
    }
  }

  private var posixCode: POSIXErrorCode? {
    switch self {
    case .file(.locked): .EPERM
    case .file(.system(_, let code)): POSIXErrorCode(rawValue: code)
    default: nil
    }
  }
}
