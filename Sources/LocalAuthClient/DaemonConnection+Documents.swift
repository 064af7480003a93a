public import LocalAuthWire

extension GroupAddress {
  /// A call of this writer that changes what has this version.
  func changeCall<Call: DocumentChangeCall>(over version: String?) -> Call {
    var call: Call = call()
    call.over = version
    return call
  }
}

/// Documents, listed and removed over a connection.
extension DaemonConnection {
  /// The documents of a container, in the order of the bytes of their names.
  ///
  /// - Throws: ``ClientError``.
  public mutating func documents(
    _ address: GroupAddress
  ) throws(ClientError) -> [DocumentMessages.Listed] {
    var call: DocumentMessages.ListCall = address.call()
    var documents: [DocumentMessages.Listed] = []
    repeat {
      let reply = try self.call(Methods.listDocuments, call)
      documents += reply.documents
      call.cursor = reply.next
    } while call.cursor != nil
    return documents.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
  }

  /// The versions of a document: the one that stands, then those in conflict with it.
  ///
  /// - Throws: ``ClientError``: refused with `itemNotFound` if there is no such document.
  public mutating func documentVersions(
    _ name: String,
    _ address: GroupAddress
  ) throws(ClientError) -> [DocumentMessages.Version] {
    var call: DocumentMessages.VersionsCall = address.call()
    call.name = name
    return try self.call(Methods.documentVersions, call).versions
  }

  /// Removes versions that are in conflict, on all devices: all of them or none.
  ///
  /// - Throws: ``ClientError``: refused with `itemNotFound` for a version that is not in conflict, and with `busy` if `version`
  ///   is not the one that stands.
  public mutating func settleDocument(
    _ versions: [String],
    of name: String,
    over version: String? = nil,
    _ address: GroupAddress
  ) throws(ClientError) {
    var call: DocumentMessages.SettleCall = address.changeCall(over: version)
    call.name = name
    call.versions = versions
    _ = try self.call(Methods.settleDocument, call)
  }

  /// Removes a document.
  ///
  /// - Throws: ``ClientError``: refused with `itemNotFound` if there is none, and with `busy` if it is not `version`.
  public mutating func removeDocument(
    _ name: String,
    over version: String? = nil,
    _ address: GroupAddress
  ) throws(ClientError) {
    var call: DocumentMessages.RemoveCall = address.changeCall(over: version)
    call.name = name
    _ = try self.call(Methods.removeDocument, call)
  }
}
