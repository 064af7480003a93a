extension Methods {
  // MARK: io.localauth.Files

  /// Makes the key of a new protected file.
  public static let makeFileKey: Method<FileMessages.MakeKeyCall, FileMessages.MakeKeyReply> =
    .init(FileMessages.interface, "MakeKey", by: .owner, .once, judging: [])

  /// Opens the key of a protected file.
  public static let openFileKey: Method<FileMessages.OpenKeyCall, FileMessages.OpenKeyReply> =
    .init(FileMessages.interface, "OpenKey", by: .owner, .once, judging: [])

  static let ofFiles: [any AnyMethod] = [
    makeFileKey, openFileKey,
  ]
}
