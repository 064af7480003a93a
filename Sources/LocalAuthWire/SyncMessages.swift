/// The messages of `io.localauth.Sync`; the interface description documents the fields.
public enum SyncMessages {
  /// The interface's name.
  public static let interface = "io.localauth.Sync"

  /// The address of a hub.
  public struct Hub: WireReply, Sendable {
    /// The name of its host, or the directory of its socket.
    public var host: String = ""
    /// Its port; 5432 when absent.
    public var port: Int64?
    /// The database.
    public var database: String = ""
    /// The file with the certificate that the hub's must lead to; absent for a socket.
    public var authority: String?
    /// The file with the certificate that the device shows; absent for none.
    public var certificate: String?
    /// The file with the key of that certificate.
    public var certificateKey: String?
    /// Creates a value whose fields are all absent, empty or zero.
    public init() {}
    /// Passes every field to `mapper`.
    public mutating func map(_ mapper: inout some FieldMapper) throws(WireError) {
      try mapper.required("host", &host)
      try mapper.optional("port", &port)
      try mapper.required("database", &database)
      try mapper.optional("authority", &authority)
      try mapper.optional("certificate", &certificate)
      try mapper.optional("certificateKey", &certificateKey)
    }
  }

  /// The parameters of methods that are about a device and take nothing else.
  public struct DeviceCall: WireObject, Sendable {
    /// The device; the user's own machine when absent.
    public var device: String?
    /// Whether a simulated device counts.
    public var allowSimulated: Bool?
    /// Creates a value whose fields are all absent, empty or zero.
    public init() {}
    /// Passes every field to `mapper`.
    public mutating func map(_ mapper: inout some FieldMapper) throws(WireError) {
      try mapper.optional("device", &device)
      try mapper.optional("allowSimulated", &allowSimulated)
    }
  }

  /// The reply to `Invite`.
  public struct InviteReply: WireReply, Sendable {
    /// The code to show.
    public var code = WireSecret.none
    /// Creates a value whose fields are all absent, empty or zero.
    public init() {}
    /// Passes every field to `mapper`.
    public mutating func map(_ mapper: inout some FieldMapper) throws(WireError) {
      try mapper.required("code", &code)
    }
  }

  /// The reply to `Answering`.
  public struct AnsweringReply: WireReply, Sendable {
    /// The device that answered; absent for none yet.
    public var peer: String?
    /// Its name.
    public var name: String?
    /// Its words.
    public var words: [String] = []
    /// Creates a value whose fields are all absent, empty or zero.
    public init() {}
    /// Passes every field to `mapper`.
    public mutating func map(_ mapper: inout some FieldMapper) throws(WireError) {
      try mapper.optional("peer", &peer)
      try mapper.optional("name", &name)
      try mapper.required("words", &words)
    }
  }

  /// A device that answered the open invitation.
  public struct Answering: WireReply, Sendable {
    /// The name by which it asks.
    public var name: String = ""
    /// Its words.
    public var words: [String] = []
    /// Creates a value whose fields are all absent, empty or zero.
    public init() {}
    /// Passes every field to `mapper`.
    public mutating func map(_ mapper: inout some FieldMapper) throws(WireError) {
      try mapper.required("name", &name)
      try mapper.required("words", &words)
    }
  }

  /// A peer of the circle.
  public struct Peer: WireReply, Sendable {
    /// Who it is.
    public var id: String = ""
    /// The name that people know it by.
    public var name: String = ""
    /// The words of its keys.
    public var words: [String] = []
    /// `device` or `recovery`.
    public var kind: String = ""
    /// Whether it is this device.
    public var isThisDevice: Bool = false
    /// When it said or wrote last what was verified, in milliseconds since 1970 by its own clock; absent for never.
    public var heardAt: Int64?
    /// Creates a value whose fields are all absent, empty or zero.
    public init() {}
    /// Passes every field to `mapper`.
    public mutating func map(_ mapper: inout some FieldMapper) throws(WireError) {
      try mapper.required("id", &id)
      try mapper.required("name", &name)
      try mapper.required("words", &words)
      try mapper.required("kind", &kind)
      try mapper.required("isThisDevice", &isThisDevice)
      try mapper.optional("heardAt", &heardAt)
    }
  }

  /// How much of a zone has come, while the rest of it comes.
  public struct Progress: WireReply, Sendable {
    /// How many entries were verified.
    public var entries: Int64 = 0
    /// How many there are.
    public var allEntries: Int64 = 0
    /// Whether nobody but the hub says so: no member signed it.
    public var isHubsWord: Bool = false
    /// How many records of a checkpoint came; absent if none is on its way.
    public var records: Int64?
    /// How many records the checkpoint has; absent if none is on its way.
    public var allRecords: Int64?
    /// How many bytes of documents came; absent for other zones.
    public var bytes: Int64?
    /// How many there are with those that are missing; absent while none is known to be.
    public var allBytes: Int64?
    /// Creates a value whose fields are all absent, empty or zero.
    public init() {}
    /// Passes every field to `mapper`.
    public mutating func map(_ mapper: inout some FieldMapper) throws(WireError) {
      try mapper.required("entries", &entries)
      try mapper.required("allEntries", &allEntries)
      try mapper.required("isHubsWord", &isHubsWord)
      try mapper.optional("records", &records)
      try mapper.optional("allRecords", &allRecords)
      try mapper.optional("bytes", &bytes)
      try mapper.optional("allBytes", &allBytes)
    }
  }

  /// A zone.
  public struct Zone: WireReply, Sendable {
    /// Its name.
    public var name: String = ""
    /// How many records are shown.
    public var records: Int64 = 0
    /// How many changes wait to be sent.
    public var outgoing: Int64 = 0
    /// How many records came and cannot be opened yet.
    public var incoming: Int64 = 0
    /// How many versions merges overruled, or how many documents have several versions.
    public var conflicts: Int64 = 0
    /// What the hub did; absent if nothing.
    public var alarm: String?
    /// Whether the hub lost something, or is not believed, and the owner can have the device go on; absent if not.
    public var needsRepair: Bool?
    /// The number of the last entry that was verified.
    public var head: Int64 = 0
    /// The words of that entry.
    public var words: [String] = []
    /// The number of the last entry that others say there is, if the hub has not shown that.
    public var claimed: Int64?
    /// The ids of those who say so.
    public var claimedBy: [String]?
    /// Whether the newest keys of the zone have not come from the hub; absent if they have.
    public var lacksKeys: Bool?
    /// How much of it has come; absent while nothing is on its way.
    public var progress: Progress?
    /// How many records nobody can read; absent if none.
    public var unreadable: Int64?
    /// The ids of those who wrote them, as far as that is known.
    public var unreadableBy: [String]?
    /// How many records a newer version of LocalAuth wrote; absent if none.
    public var newer: Int64?
    /// The ids of those who wrote them, as far as that is known.
    public var newerBy: [String]?
    /// How many records the hub lost and are not here; absent if none.
    public var lost: Int64?
    /// The ids of those who wrote them, as far as that is known.
    public var lostBy: [String]?
    /// Creates a value whose fields are all absent, empty or zero.
    public init() {}
    /// Passes every field to `mapper`.
    public mutating func map(_ mapper: inout some FieldMapper) throws(WireError) {
      try mapper.required("name", &name)
      try mapper.required("records", &records)
      try mapper.required("outgoing", &outgoing)
      try mapper.required("incoming", &incoming)
      try mapper.required("conflicts", &conflicts)
      try mapper.optional("alarm", &alarm)
      try mapper.optional("needsRepair", &needsRepair)
      try mapper.required("head", &head)
      try mapper.required("words", &words)
      try mapper.optional("claimed", &claimed)
      try mapper.optional("claimedBy", &claimedBy)
      try mapper.optional("lacksKeys", &lacksKeys)
      try mapper.optional("progress", &progress)
      try mapper.optional("unreadable", &unreadable)
      try mapper.optional("unreadableBy", &unreadableBy)
      try mapper.optional("newer", &newer)
      try mapper.optional("newerBy", &newerBy)
      try mapper.optional("lost", &lost)
      try mapper.optional("lostBy", &lostBy)
    }
  }

  /// The reply to `Status` and `Synchronize`.
  public struct StatusReply: WireReply, Sendable {
    /// How far the device has come.
    public var stage: String = ""
    /// The hub.
    public var hub = Hub()
    /// The circle, in hexadecimal digits; empty before it is founded.
    public var circle: String = ""
    /// The number of the last entry of the circle's log that was verified.
    public var head: Int64 = 0
    /// The words of that entry.
    public var words: [String] = []
    /// Everyone in the circle.
    public var peers: [Peer] = []
    /// The zones.
    public var zones: [Zone] = []
    /// What the hub did to the circle's log; absent if nothing.
    public var circleAlarm: String?
    /// When the hub was heard last, in milliseconds since 1970; absent for never since the start.
    public var heardAt: Int64?
    /// Why the hub could not be asked last; absent if it could.
    public var failure: String?
    /// What kind of failure that is: `unreachable`, `denied`, `codeWasUsed`, `refused`, `unexpected`, `schema` or `notStored`;
    /// absent if none.
    public var failureCode: String?
    /// Whether an invitation is open.
    public var isInviting: Bool = false
    /// The device that answered it, as far as the hub was asked; absent for none.
    public var answering: Answering?
    /// Creates a value whose fields are all absent, empty or zero.
    public init() {}
    /// Passes every field to `mapper`.
    public mutating func map(_ mapper: inout some FieldMapper) throws(WireError) {
      try mapper.required("stage", &stage)
      try mapper.required("hub", &hub)
      try mapper.required("circle", &circle)
      try mapper.required("head", &head)
      try mapper.required("words", &words)
      try mapper.required("peers", &peers)
      try mapper.required("zones", &zones)
      try mapper.optional("circleAlarm", &circleAlarm)
      try mapper.optional("heardAt", &heardAt)
      try mapper.optional("failure", &failure)
      try mapper.optional("failureCode", &failureCode)
      try mapper.required("isInviting", &isInviting)
      try mapper.optional("answering", &answering)
    }
  }
}
