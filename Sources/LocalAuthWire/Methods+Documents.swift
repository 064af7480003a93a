extension Methods {
  // MARK: io.localauth.Documents

  /// Lists the documents of a container.
  public static let listDocuments: Method<DocumentMessages.ListCall, DocumentMessages.ListReply> =
    .init(DocumentMessages.interface, "List", by: .owner, .once, judging: [])

  /// Reads a part of a document.
  public static let readDocument: Method<DocumentMessages.ReadCall, DocumentMessages.ReadReply> =
    .init(DocumentMessages.interface, "Read", by: .owner, .once, judging: [])

  /// Writes a document.
  public static let writeDocument: Method<DocumentMessages.WriteCall, DocumentMessages.WriteReply> =
    .init(DocumentMessages.interface, "Write", by: .owner, .once, judging: [])

  /// Removes a document.
  public static let removeDocument: Method<DocumentMessages.RemoveCall, Empty> =
    .init(DocumentMessages.interface, "Remove", by: .owner, .once, judging: [])

  /// Lists the versions of a document.
  public static let documentVersions:
    Method<DocumentMessages.VersionsCall, DocumentMessages.VersionsReply> =
      .init(DocumentMessages.interface, "Versions", by: .owner, .once, judging: [])

  /// Removes versions that are in conflict.
  public static let settleDocument: Method<DocumentMessages.SettleCall, Empty> =
    .init(DocumentMessages.interface, "Settle", by: .owner, .once, judging: [])

  /// Tells which documents others change.
  public static let watchDocuments:
    Method<DocumentMessages.WatchCall, DocumentMessages.WatchReply> =
      .init(DocumentMessages.interface, "Watch", by: .owner, .stream, judging: [])

  static let ofDocuments: [any AnyMethod] = [
    listDocuments, readDocument, writeDocument, removeDocument, documentVersions, settleDocument,
    watchDocuments,
  ]
}
