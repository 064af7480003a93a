import LocalAuthCore

/// The canonical encoding of a device record, which the record's tag covers.
///
/// The identity is not part of it: it is the row's key, and the tag covers both. A change of this
/// layout needs a new version byte; a record is written in the first version that has room for it.
enum DeviceCoding {
  private static let version: UInt8 = 1
  private static let versionWithGrants: UInt8 = 2
  private static let versionWithOthers: UInt8 = 3
  private static let versionWithPossession: UInt8 = 4
  private static let versionWithPrograms: UInt8 = 5
  private static let versionWithPrints: UInt8 = 6
  /// In seconds, 35 000 years: a longer time means damage, and adding to it could overflow.
  private static let longestTime: Int64 = 1 << 40

  /// The bytes of `record`; equal records have equal bytes.
  static func encode(_ record: DeviceRecord) -> [UInt8] {
    let version = version(of: record)
    var writer = ByteWriter()
    writer.put(version)
    writer.put(record.isSimulated)
    writer.put(record.sensorSettings) { writer, settings in
      writer.put(UInt32(settings.count))
      for (key, value) in settings.sorted(by: { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
      ) {
        writer.put(key)
        writer.put(value)
      }
    }
    writer.put(UInt32(record.enrolment.fingers.count))
    for finger in record.enrolment.fingers { writer.put(finger.rawValue) }
    writer.put(record.enrolment.generation)
    put(record.passcode, into: &writer)
    writer.put(record.lockoutProfile)
    writer.put(record.passcodeDelays)
    put(record.attempts.lockout.tally, into: &writer)
    put(record.attempts.throttle.tally, into: &writer)
    writer.put(record.attempts.freshness.passcode) { put($1, into: &$0) }
    writer.put(record.attempts.freshness.match) { put($1, into: &$0) }
    put(record.clockOffset, into: &writer)
    writer.put(record.reboots)
    if version >= versionWithOthers {
      writer.put(!record.grants.isEmpty)
      OtherAttemptsCoding.put(record.others, into: &writer)
    }
    if version >= versionWithPossession { put(record.others.possession.tally, into: &writer) }
    if version >= versionWithPrograms { writer.put(record.programs) }
    if version >= versionWithPrints { writer.put(record.prints) }
    if !record.grants.isEmpty { GrantCoding.put(record.grants, into: &writer) }
    return writer.bytes
  }

  private static func version(of record: DeviceRecord) -> UInt8 {
    guard record.prints == 0 else { return versionWithPrints }
    guard record.programs == 0 else { return versionWithPrograms }
    guard record.others.isEmpty else {
      return hasPossession(record) ? versionWithPossession : versionWithOthers
    }
    return record.grants.isEmpty ? version : versionWithGrants
  }

  private static func hasPossession(_ record: DeviceRecord) -> Bool {
    record.others.possession != Lockout()
  }

  /// Decodes the record of `identity`; nil if `bytes` are not a record of ours.
  static func decode(_ bytes: [UInt8], identity: DeviceIdentity) -> DeviceRecord? {
    var reader = ByteReader(bytes)
    guard let version = reader.number(UInt8.self),
      (Self.version...versionWithPrints).contains(version),
      let isSimulated = reader.flag(),
      let sensorSettings = reader.optional(settings),
      let fingers = reader.list({ $0.text().flatMap(Finger.init(rawValue:)) }),
      let generation = reader.number(UInt64.self), let passcode = provider(&reader),
      let lockoutProfile = reader.text(), let passcodeDelays = reader.text(),
      let lockout = tally(&reader), let throttle = tally(&reader),
      let passcodeStamp = reader.optional(stamp), let matchStamp = reader.optional(stamp),
      let clockOffset = duration(&reader),
      let reboots = reader.number(UInt32.self),
      let hasGrants = version >= versionWithOthers ? reader.flag() : version == versionWithGrants,
      let others = version >= versionWithOthers
        ? OtherAttemptsCoding.others(&reader) : OtherAttempts(),
      let possession = version >= versionWithPossession ? tally(&reader) : Tally(),
      let programs = version >= versionWithPrograms ? reader.number(UInt64.self) : 0,
      let prints = version >= versionWithPrints ? reader.number(UInt64.self) : 0,
      let grants = hasGrants ? GrantCoding.grants(&reader) : Grants(),
      reader.isAtEnd
    else { return nil }
    var record = DeviceRecord(identity: identity, isSimulated: isSimulated)
    record.sensorSettings = sensorSettings
    record.enrolment = EnrolmentSet(fingers: fingers, generation: generation)
    record.passcode = passcode
    record.lockoutProfile = lockoutProfile
    record.passcodeDelays = passcodeDelays
    record.attempts = DeviceAttempts(
      lockout: Lockout(tally: lockout),
      throttle: PasscodeThrottle(tally: throttle),
      freshness: Freshness(passcode: passcodeStamp, match: matchStamp)
    )
    record.clockOffset = clockOffset
    record.reboots = reboots
    record.grants = grants
    record.others = others
    record.others.possession = Lockout(tally: possession)
    record.programs = programs
    record.prints = prints
    return record
  }

  private static func put(_ provider: PasscodeProvider, into writer: inout ByteWriter) {
    switch provider {
    case .none: writer.put(UInt8(0))
    case .device:
      writer.put(UInt8(1))
      // The layout has an empty field here: only the keybag knows the passcode.
      writer.put([UInt8]())
    case .pam(let service, let directory):
      writer.put(UInt8(2))
      writer.put(service)
      writer.put(directory) { $0.put($1) }
    }
  }

  static func put(_ tally: Tally, into writer: inout ByteWriter) {
    writer.put(tally.failures)
    writer.put(tally.refusal) { writer, refusal in
      put(refusal.length, into: &writer)
      writer.put(refusal.start.nanoseconds)
      put(refusal.boot, into: &writer)
    }
  }

  private static func put(_ stamp: Freshness.Stamp, into writer: inout ByteWriter) {
    writer.put(stamp.at.nanoseconds)
    put(stamp.boot, into: &writer)
  }

  static func put(_ boot: BootIdentifier, into writer: inout ByteWriter) {
    writer.put(boot.high)
    writer.put(boot.low)
    writer.put(boot.generation)
  }

  static func put(_ duration: Duration, into writer: inout ByteWriter) {
    let limit = Duration.seconds(longestTime)
    let (seconds, attoseconds) = min(max(duration, .zero - limit), limit).components
    writer.put(seconds)
    writer.put(attoseconds)
  }

  private static func settings(_ reader: inout ByteReader) -> [String: String]? {
    let pairs = reader.list { reader -> (String, String)? in
      guard let key = reader.text(), let value = reader.text() else { return nil }
      return (key, value)
    }
    return pairs.map { Dictionary($0, uniquingKeysWith: { first, _ in first }) }
  }

  private static func provider(_ reader: inout ByteReader) -> PasscodeProvider? {
    switch reader.number(UInt8.self) {
    case 0: PasscodeProvider.none
    case 1: reader.blob() == [] ? .device : nil
    case 2: pam(&reader)
    default: nil
    }
  }

  private static func pam(_ reader: inout ByteReader) -> PasscodeProvider? {
    guard let service = reader.text(), let directory = reader.optional({ $0.text() }) else {
      return nil
    }
    return .pam(service: service, directory: directory)
  }

  static func tally(_ reader: inout ByteReader) -> Tally? {
    guard let failures = reader.number(UInt32.self), let refusal = reader.optional(period) else {
      return nil
    }
    return Tally(failures: failures, refusal: refusal)
  }

  private static func period(_ reader: inout ByteReader) -> RefusalPeriod? {
    guard let length = duration(&reader), let start = reader.number(Int64.self),
      let boot = boot(&reader)
    else { return nil }
    let period = RefusalPeriod(length: length, start: BootInstant(nanoseconds: start), boot: boot)
    // We never write a length that a period cannot hold.
    return period.length == length ? period : nil
  }

  private static func stamp(_ reader: inout ByteReader) -> Freshness.Stamp? {
    guard let at = reader.number(Int64.self), let boot = boot(&reader) else { return nil }
    return Freshness.Stamp(at: BootInstant(nanoseconds: at), boot: boot)
  }

  static func boot(_ reader: inout ByteReader) -> BootIdentifier? {
    guard let high = reader.number(UInt64.self), let low = reader.number(UInt64.self),
      let generation = reader.number(UInt32.self)
    else { return nil }
    return BootIdentifier(high: high, low: low, generation: generation)
  }

  static func duration(_ reader: inout ByteReader) -> Duration? {
    guard let seconds = reader.number(Int64.self), let attoseconds = reader.number(Int64.self),
      (-longestTime...longestTime).contains(seconds),
      abs(Int128(attoseconds)) < 1_000_000_000_000_000_000
    else { return nil }
    return Duration(secondsComponent: seconds, attosecondsComponent: attoseconds)
  }
}
