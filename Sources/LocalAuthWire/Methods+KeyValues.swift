extension Methods {
  // MARK: io.localauth.KeyValues

  /// Writes and removes values of a key-value store.
  public static let writeKeyValues:
    Method<KeyValueMessages.WriteCall, KeyValueMessages.WriteReply> =
      .init(KeyValueMessages.interface, "Write", by: .owner, .once, judging: [])

  /// Reads values of a key-value store.
  public static let readKeyValues: Method<KeyValueMessages.ReadCall, KeyValueMessages.ReadReply> =
    .init(KeyValueMessages.interface, "Read", by: .owner, .once, judging: [])

  /// Tells what others change in a key-value store.
  public static let watchKeyValues:
    Method<KeyValueMessages.WatchCall, KeyValueMessages.WatchReply> =
      .init(KeyValueMessages.interface, "Watch", by: .owner, .stream, judging: [])

  static let ofKeyValues: [any AnyMethod] = [
    writeKeyValues, readKeyValues, watchKeyValues,
  ]
}
