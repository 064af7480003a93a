extension Methods {
  private static let keychain = KeychainMessages.interface

  /// Adds an item.
  public static let addItem: Method<KeychainMessages.AddCall, KeychainMessages.AskReply> =
    .init(keychain, "Add", by: .owner, .stream, judging: [])

  /// Adds several items, either all of them or none.
  public static let addItems: Method<KeychainMessages.AddAllCall, KeychainMessages.AskReply> =
    .init(keychain, "AddAll", by: .owner, .stream, judging: [])

  /// Finds items.
  public static let copyItems: Method<KeychainMessages.CopyCall, KeychainMessages.AskReply> =
    .init(
      keychain,
      "Copy",
      by: .owner,
      .stream,
      judging: [.passcode, .applicationPassword, .touch]
    )

  /// Changes items.
  public static let updateItems: Method<KeychainMessages.UpdateCall, KeychainMessages.AskReply> =
    .init(
      keychain,
      "Update",
      by: .owner,
      .stream,
      judging: [.passcode, .applicationPassword, .touch]
    )

  /// Deletes items.
  public static let deleteItems: Method<KeychainMessages.DeleteCall, KeychainMessages.AskReply> =
    .init(keychain, "Delete", by: .owner, .stream, judging: [])

  /// Generates a private key.
  public static let generateKey:
    Method<KeychainMessages.GenerateKeyCall, KeychainMessages.AskReply> =
      .init(keychain, "GenerateKey", by: .owner, .stream, judging: [])

  /// Signs with a private key.
  public static let sign: Method<KeychainMessages.SignCall, KeychainMessages.AskReply> =
    .init(
      keychain,
      "Sign",
      by: .owner,
      .stream,
      judging: [.passcode, .applicationPassword, .touch]
    )

  /// Agrees on a secret with a private key.
  public static let exchangeKeys:
    Method<KeychainMessages.ExchangeKeysCall, KeychainMessages.AskReply> =
      .init(
        keychain,
        "ExchangeKeys",
        by: .owner,
        .stream,
        judging: [.passcode, .applicationPassword, .touch]
      )

  /// Proves in advance what an access control asks for.
  public static let evaluateAccessControl:
    Method<KeychainMessages.EvaluateAccessControlCall, KeychainMessages.AskReply> =
      .init(keychain, "EvaluateAccessControl", by: .owner, .stream, judging: [.passcode, .touch])

  /// Invalidates what was proven in a context of the connection.
  public static let invalidateContext: Method<KeychainMessages.InvalidateContextCall, Empty> =
    .init(keychain, "InvalidateContext", by: .owner, .once, judging: [])

  /// Returns the caller's access groups.
  public static let accessGroups: Method<Empty, KeychainMessages.GroupsReply> =
    .init(keychain, "Groups", by: .owner, .once, judging: [])

  static let ofKeychain: [any AnyMethod] = [
    addItem, addItems, copyItems, updateItems, deleteItems, generateKey, sign, exchangeKeys,
    evaluateAccessControl, invalidateContext, accessGroups,
  ]
}
