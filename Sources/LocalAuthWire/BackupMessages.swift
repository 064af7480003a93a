/// The messages of `io.localauth.Backups`; the interface description documents the fields.
public enum BackupMessages {
  /// The interface's name.
  public static let interface = "io.localauth.Backups"

  /// The parameters of `Create`.
  public struct CreateCall: WireObject, Sendable {
    /// The device; the user's own machine when absent.
    public var device: String?
    /// Whether a simulated device counts.
    public var allowSimulated: Bool?
    /// What opens the backup; this device alone when absent.
    public var password: WireSecret?
    /// Whether items that are locked are left out instead of the backup being refused.
    public var partial: Bool?
    /// Whether what opens protected files goes with it, which takes the passcode.
    public var fileKeys: Bool?
    /// The device's passcode.
    public var passcode: WireSecret?
    /// The access groups that are wanted; all when absent.
    public var groups: [String]?
    /// The names of the classes that are wanted; all when absent.
    public var classes: [String]?
    /// Creates a value whose fields are all absent, empty or zero.
    public init() {}
    /// Passes every field to `mapper`.
    public mutating func map(_ mapper: inout some FieldMapper) throws(WireError) {
      try mapper.optional("device", &device)
      try mapper.optional("allowSimulated", &allowSimulated)
      try mapper.optional("password", &password)
      try mapper.optional("partial", &partial)
      try mapper.optional("fileKeys", &fileKeys)
      try mapper.optional("passcode", &passcode)
      try mapper.optional("groups", &groups)
      try mapper.optional("classes", &classes)
    }
  }

  /// The reply to `Create` and `Open`.
  public struct HeaderReply: WireReply, Sendable {
    /// The header.
    public var header = WireBytes([])
    /// Creates a value whose fields are all absent, empty or zero.
    public init() {}
    /// Passes every field to `mapper`.
    public mutating func map(_ mapper: inout some FieldMapper) throws(WireError) {
      try mapper.required("header", &header)
    }
  }

  /// The reply to `Read`.
  public struct ReadReply: WireReply, Sendable {
    /// What follows in the file.
    public var bytes = WireBytes([])
    /// The header, with the last piece.
    public var header: WireBytes?
    /// Creates a value whose fields are all absent, empty or zero.
    public init() {}
    /// Passes every field to `mapper`.
    public mutating func map(_ mapper: inout some FieldMapper) throws(WireError) {
      try mapper.required("bytes", &bytes)
      try mapper.optional("header", &header)
    }
  }

  /// The parameters of `Open`.
  public struct OpenCall: WireObject, Sendable {
    /// The device; the user's own machine when absent.
    public var device: String?
    /// Whether a simulated device counts.
    public var allowSimulated: Bool?
    /// The header.
    public var header = WireBytes([])
    /// The password.
    public var password: WireSecret?
    /// What for: `verify`, `merge` or `replace`.
    public var purpose: String = ""
    /// Whether the keychain is only looked at.
    public var dryRun: Bool?
    /// The access groups that are wanted; all when absent.
    public var groups: [String]?
    /// The names of the classes that are wanted; all when absent.
    public var classes: [String]?
    /// Creates a value whose fields are all absent, empty or zero.
    public init() {}
    /// Passes every field to `mapper`.
    public mutating func map(_ mapper: inout some FieldMapper) throws(WireError) {
      try mapper.optional("device", &device)
      try mapper.optional("allowSimulated", &allowSimulated)
      try mapper.required("header", &header)
      try mapper.optional("password", &password)
      try mapper.required("purpose", &purpose)
      try mapper.optional("dryRun", &dryRun)
      try mapper.optional("groups", &groups)
      try mapper.optional("classes", &classes)
    }
  }

  /// The parameters of `Write`.
  public struct WriteCall: WireObject, Sendable {
    /// The next chunk.
    public var chunk = WireBytes([])
    /// Creates a value whose fields are all absent, empty or zero.
    public init() {}
    /// Passes every field to `mapper`.
    public mutating func map(_ mapper: inout some FieldMapper) throws(WireError) {
      try mapper.required("chunk", &chunk)
    }
  }

  /// An item of a backup.
  public struct Item: WireReply, Sendable {
    /// Its name; empty if it did not open.
    public var name: String = ""
    /// Its identifier.
    public var identifier: String?
    /// What becomes of it, if that is known.
    public var fate: String?
    /// Creates a value whose fields are all absent, empty or zero.
    public init() {}
    /// Passes every field to `mapper`.
    public mutating func map(_ mapper: inout some FieldMapper) throws(WireError) {
      try mapper.required("name", &name)
      try mapper.optional("identifier", &identifier)
      try mapper.optional("fate", &fate)
    }
  }

  /// The reply to `Write`.
  public struct WriteReply: WireReply, Sendable {
    /// The items that the chunk completes.
    public var items: [Item] = []
    /// Creates a value whose fields are all absent, empty or zero.
    public init() {}
    /// Passes every field to `mapper`.
    public mutating func map(_ mapper: inout some FieldMapper) throws(WireError) {
      try mapper.required("items", &items)
    }
  }

  /// The reply to `Deletions`.
  public struct DeletionsReply: WireReply, Sendable {
    /// Some items of the keychain.
    public var items: [Item] = []
    /// Whether there are no more.
    public var last = false
    /// Creates a value whose fields are all absent, empty or zero.
    public init() {}
    /// Passes every field to `mapper`.
    public mutating func map(_ mapper: inout some FieldMapper) throws(WireError) {
      try mapper.required("items", &items)
      try mapper.required("last", &last)
    }
  }

  /// The parameters of `Finish`.
  public struct FinishCall: WireObject, Sendable {
    /// The trailer.
    public var trailer = WireBytes([])
    /// How many chunks were left out, for a verification that reads none.
    public var skippedChunks: Int64?
    /// The device's passcode, for replacing.
    public var passcode: WireSecret?
    /// How many items die by it, for replacing.
    public var deaths: Int64?
    /// Creates a value whose fields are all absent, empty or zero.
    public init() {}
    /// Passes every field to `mapper`.
    public mutating func map(_ mapper: inout some FieldMapper) throws(WireError) {
      try mapper.required("trailer", &trailer)
      try mapper.optional("skippedChunks", &skippedChunks)
      try mapper.optional("passcode", &passcode)
      try mapper.optional("deaths", &deaths)
    }
  }

  /// The reply to `Finish`.
  public struct FinishReply: WireReply, Sendable {
    /// How many items are in the keychain now.
    public var restored: Int64 = 0
    /// How many were not newer than what is there.
    public var older: Int64 = 0
    /// How many another device alone opens.
    public var otherDevice: Int64 = 0
    /// How many are not what was sealed.
    public var damaged: Int64 = 0
    /// How many this version does not know.
    public var unknownClass: Int64 = 0
    /// How many may not come back.
    public var skipped: Int64 = 0
    /// How many items of the keychain are gone for good.
    public var deaths: Int64 = 0
    /// Creates a value whose fields are all absent, empty or zero.
    public init() {}
    /// Passes every field to `mapper`.
    public mutating func map(_ mapper: inout some FieldMapper) throws(WireError) {
      try mapper.required("restored", &restored)
      try mapper.required("older", &older)
      try mapper.required("otherDevice", &otherDevice)
      try mapper.required("damaged", &damaged)
      try mapper.required("unknownClass", &unknownClass)
      try mapper.required("skipped", &skipped)
      try mapper.required("deaths", &deaths)
    }
  }
}
