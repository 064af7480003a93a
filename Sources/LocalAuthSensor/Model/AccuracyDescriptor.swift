public import LocalAuthCore

/// How an authenticator describes its biometric sensor: FIDO's `BiometricAccuracyDescriptor` (FIDO Metadata
/// Statement, section 3.2), by its own names.
public struct AccuracyDescriptor: Hashable, Sendable {
  /// The rate of false rejects for one reference data set; nil or 0 where it is not attested.
  public var selfAttestedFRR: Double?
  /// The rate of false accepts for one reference data set; nil or 0 where it is not attested.
  public var selfAttestedFAR: Double?
  /// The highest IAPAR of all species that were tried; nil where it is not attested.
  public var iAPARThreshold: Double?
  /// How many fingers can be enrolled; 0 where it is not said.
  public var maxTemplates: UInt16
  /// Misses from which the sensor is blocked; 0 for never.
  public var maxRetries: UInt16
  /// Seconds of a block; 0 for until another method succeeded.
  public var blockSlowdown: UInt16

  /// The descriptor with these fields.
  public init(
    selfAttestedFRR: Double? = nil,
    selfAttestedFAR: Double? = nil,
    iAPARThreshold: Double? = nil,
    maxTemplates: UInt16 = 0,
    maxRetries: UInt16 = 0,
    blockSlowdown: UInt16 = 0
  ) {
    self.selfAttestedFRR = selfAttestedFRR
    self.selfAttestedFAR = selfAttestedFAR
    self.iAPARThreshold = iAPARThreshold
    self.maxTemplates = maxTemplates
    self.maxRetries = maxRetries
    self.blockSlowdown = blockSlowdown
  }

  /// The operating point that the descriptor attests.
  public func operatingPoint() throws(ModelError) -> OperatingPoint {
    guard let reject = selfAttestedFRR, reject != 0 else { throw .notAttested("selfAttestedFRR") }
    guard let accept = selfAttestedFAR, accept != 0 else { throw .notAttested("selfAttestedFAR") }
    return try OperatingPoint(falseMatch: accept, falseNonMatch: reject)
  }

  /// The fakes that it may be attacked with at worst; nil where it is not attested.
  public func attackSpecies() throws(ModelError) -> AttackSpecies? {
    guard let rate = iAPARThreshold else { return nil }
    return try AttackSpecies(name: "attested", iapar: rate)
  }

  /// The sensor's own refusals as a table; nil where it never blocks.
  public var lockout: DelayTable? {
    guard maxRetries > 0 else { return nil }
    guard blockSlowdown > 0 else { return DelayTable(locksAt: UInt32(maxRetries)) }
    let row = DelayTable.Row(
      from: UInt32(maxRetries),
      through: nil,
      delay: .seconds(Int(blockSlowdown))
    )
    return DelayTable(rows: [row])
  }
}
