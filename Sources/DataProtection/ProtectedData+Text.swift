public import Foundation

extension ProtectedData {
  /// Writes `text` to `url`, with the protection that a file there has or gets; see ``write(_:to:options:)``.
  ///
  /// - Parameters:
  ///   - text: The content.
  ///   - url: A file URL.
  ///   - isAtomic: Foundation's; a protected file is always written atomically.
  ///   - encoding: The encoding.
  /// - Throws: `CocoaError`; what was there is unchanged then, unless only its name is not durable.
  public static func write(
    _ text: some StringProtocol,
    to url: URL,
    atomically isAtomic: Bool,
    encoding: String.Encoding
  ) throws {
    let path = try path(of: url)
    guard let protection = try inherited(at: path) else {
      return try text.write(to: url, atomically: isAtomic, encoding: encoding)
    }
    guard let data = text.data(using: encoding) else {
      throw CocoaError(
        .fileWriteInapplicableStringEncoding,
        userInfo: [NSFilePathErrorKey: path, NSStringEncodingErrorKey: encoding.rawValue]
      )
    }
    try write(data, to: url, options: protection.writingOptions)
  }

  /// The text of the file at `url`, also if it is protected.
  ///
  /// - Parameters:
  ///   - url: Any URL that Foundation reads.
  ///   - encoding: The encoding.
  /// - Returns: the text, which nothing wipes.
  /// - Throws: `CocoaError` as ``contents(of:options:)`` does, and for what is no text in that encoding.
  public static func text(of url: URL, encoding: String.Encoding) throws -> String {
    guard let path = try protectedPath(of: url) else {
      return try String(contentsOf: url, encoding: encoding)
    }
    guard let text = String(data: try content(at: path, of: url), encoding: encoding) else {
      throw CocoaError(
        .fileReadInapplicableStringEncoding,
        userInfo: [NSFilePathErrorKey: url.path, NSStringEncodingErrorKey: encoding.rawValue]
      )
    }
    return text
  }
}
