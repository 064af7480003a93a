public import LocalAuthCore

/// An authenticator's description of its biometric sensor, with the names of FIDO's
/// `BiometricAccuracyDescriptor` (FIDO Metadata Statement, section 3.2).
public struct AccuracyDescriptor: Hashable, Sendable {
  /// The false reject rate for one reference data set; nil or 0 if not attested.
  public var selfAttestedFRR: Double?
  /// The false accept rate for one reference data set; nil or 0 if not attested.
  public var selfAttestedFAR: Double?
  /// The highest IAPAR of all species tested; nil if not attested.
  public var iAPARThreshold: Double?
  /// The number of fingers that can be enrolled; 0 if unspecified.
  public var maxTemplates: UInt16
  /// The number of misses that block the sensor; 0 for never.
  public var maxRetries: UInt16
  /// The duration of a block in seconds; 0 until another method succeeds.
  public var blockSlowdown: UInt16

  /// Creates a descriptor with these fields.
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

  /// Returns the operating point that the descriptor attests.
  public func operatingPoint() throws(ModelError) -> OperatingPoint {
    guard let reject = selfAttestedFRR, reject != 0 else { throw .notAttested("selfAttestedFRR") }
    guard let accept = selfAttestedFAR, accept != 0 else { throw .notAttested("selfAttestedFAR") }
    return try OperatingPoint(falseMatch: accept, falseNonMatch: reject)
  }

  /// Returns the worst attack species attested; nil if none is.
  public func attackSpecies() throws(ModelError) -> AttackSpecies? {
    guard let rate = iAPARThreshold else { return nil }
    return try AttackSpecies(name: "attested", iapar: rate)
  }

  /// The sensor's own lockout as a delay table; nil if it never blocks.
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
