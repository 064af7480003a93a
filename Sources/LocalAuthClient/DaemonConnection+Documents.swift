public import LocalAuthWire

/// A container of documents of a service.
public struct DocumentAddress: Sendable {
  /// Its device.
  public var device: DeviceChoice
  /// The container, which is one of the program's access groups; nil for the first.
  public var container: String?
  /// A number that this program writes and watches with, so that it is not told of its own changes.
  public var writer: Int64?

  /// The container called `container` of `device`, for a program that writes with this number.
  public init(_ device: DeviceChoice, _ container: String?, writer: Int64? = nil) {
    self.device = device
    self.container = container
    self.writer = writer
  }

  /// The parameters of a watch.
  public var watch: DocumentMessages.WatchCall { writerCall() }

  /// A call of this writer that changes what has this version.
  func changeCall<Call: ContainerChangeCall>(over version: String?) -> Call {
    var call: Call = writerCall()
    call.over = version
    return call
  }

  /// A call about it of this writer.
  fileprivate func writerCall<Call: ContainerWriterCall>() -> Call {
    var call: Call = call()
    call.writer = writer
    return call
  }

  /// A call about it.
  func call<Call: ContainerCall>() -> Call {
    var call = Call()
    call.device = device.name
    call.allowSimulated = device.allowsSimulated
    call.container = container
    return call
  }
}

/// Documents, listed and removed over a connection.
extension DaemonConnection {
  /// The documents of a container, in the order of the bytes of their names.
  ///
  /// - Throws: ``ClientError``.
  public mutating func documents(
    _ address: DocumentAddress
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
    _ address: DocumentAddress
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
    _ address: DocumentAddress
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
    _ address: DocumentAddress
  ) throws(ClientError) {
    var call: DocumentMessages.RemoveCall = address.changeCall(over: version)
    call.name = name
    _ = try self.call(Methods.removeDocument, call)
  }
}
