import LocalAuthUnix
public import LocalAuthWire

/// A document that is being read, part by part: the service prepares the next part while the reader works on one.
public struct DocumentReader: ~Copyable {
  private var connection: DaemonConnection
  private var call: DocumentMessages.ReadCall
  private var isAsked = false
  private var isAtEnd = false

  /// Begins to read.
  ///
  /// - Parameters:
  ///   - name: The document.
  ///   - version: The content that is wanted; nil for what there is.
  ///   - address: The container.
  ///   - connection: A connection for nothing else.
  public init(
    _ name: String,
    version: String?,
    _ address: GroupAddress,
    over connection: consuming DaemonConnection
  ) {
    self.connection = connection
    call = address.call()
    call.name = name
    call.version = version
    call.offset = 0
  }

  /// What is read next, with at most 256 KiB; nil at the end, and the first time never.
  ///
  /// - Throws: ``ClientError``: refused with `busy` if there is another content by now. Nothing more can be read then.
  public mutating func next() throws(ClientError) -> DocumentMessages.ReadReply? {
    guard !isAtEnd else { return nil }
    if !isAsked { try ask() }
    let deadline = Deadline.after(DaemonConnection.standardPatience)
    let part = try connection.next(Methods.readDocument, until: deadline).reply
    isAsked = false
    let count = Int64(part.bytes.bytes.count)
    guard count > 0 || part.size == 0 else {
      throw .protocolError("a part of a document without bytes")
    }
    let offset = (call.offset ?? 0) + count
    call.version = part.version
    call.offset = offset
    isAtEnd = offset >= part.size
    if !isAtEnd { try ask() }
    return part
  }

  private mutating func ask() throws(ClientError) {
    try connection.begin(Methods.readDocument, call, more: false)
    isAsked = true
  }
}

/// A document that is being written, part by part: the writer makes the next part while the service keeps one.
///
/// Let go before it is finished, nothing was written.
public struct DocumentWriter: ~Copyable {
  private static let partMax = DocumentMessages.bytesMax
  private var connection: DaemonConnection
  private var call: DocumentMessages.WriteCall
  private var part: [UInt8] = []
  private var isUnderWay = false

  /// Begins to write.
  ///
  /// - Parameters:
  ///   - name: The document.
  ///   - version: The content that it replaces, empty for none; nil for any.
  ///   - address: The container.
  ///   - connection: A connection for nothing else.
  public init(
    _ name: String,
    over version: String?,
    _ address: GroupAddress,
    over connection: consuming DaemonConnection
  ) {
    self.connection = connection
    call = address.changeCall(over: version)
    call.name = name
    call.continues = true
  }

  /// Takes the next bytes, any number of them.
  ///
  /// - Throws: ``ClientError``, also for earlier bytes; nothing was written then, and nothing more can be.
  public mutating func add(_ bytes: [UInt8]) throws(ClientError) {
    var rest = bytes[...]
    while part.count + rest.count > Self.partMax {
      let room = Self.partMax - part.count
      part += rest.prefix(room)
      rest = rest.dropFirst(room)
      call.bytes = WireBytes(part)
      part = []
      try connection.begin(Methods.writeDocument, call, more: false)
      try heed()
      isUnderWay = true
    }
    part += rest
  }

  /// Has all of it become the document.
  ///
  /// - Returns: what was written.
  /// - Throws: ``ClientError``; nothing was written then.
  public consuming func finish() throws(ClientError) -> DocumentMessages.WriteReply {
    // The last part alone would become the document if one before it was refused.
    try heed()
    call.bytes = WireBytes(part)
    call.continues = nil
    return try connection.call(Methods.writeDocument, call)
  }

  /// Waits for the answer to the part that is under way.
  private mutating func heed() throws(ClientError) {
    guard isUnderWay else { return }
    isUnderWay = false
    let deadline = Deadline.after(DaemonConnection.standardPatience)
    _ = try connection.next(Methods.writeDocument, until: deadline)
  }
}
