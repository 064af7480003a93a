public import LocalAuthSensor

/// The kind of attacker: what they have, and what they know.
///
/// Each uses everything that a device offers to somebody with these means, in the best order; see
/// ``AttackSolution``.
public enum Attacker: Hashable, Sendable {
  /// An impostor who presents their own finger and knows nothing.
  case zeroEffort
  /// An impostor who presents their own finger and guesses the passcode, against the one person in
  /// a hundred who is easiest to impersonate.
  case targeted
  /// An attacker with a fake of the person's finger.
  case presentation(AttackSpecies)
  /// An attacker who guesses the passcode, and has a finger of their own.
  case pin
  /// An attacker with a fake of the person's finger who guesses the passcode too.
  case fakeAndPIN(AttackSpecies)
  /// A thief who knows the passcode.
  case knownPIN
  /// An attacker who saw the passcode being typed, whole or in part.
  case shoulder(Glimpse)
  /// A program, or somebody who drives the account's programs from afar, just after its owner
  /// proved who they are; nobody is at the sensor.
  case insider

  /// What was seen of a passcode that was typed once.
  public struct Glimpse: Hashable, Sendable {
    /// How often all of it was seen.
    public var whole: Double
    /// How many digits are known otherwise.
    public var digits: UInt32

    /// What was seen.
    public init(whole: Double, digits: UInt32) throws(ModelError) {
      guard whole >= 0, whole <= 1 else {
        throw .outOfRange("the share of whole glimpses", whole, allowed: "between 0 and 1")
      }
      self.init(unchecked: whole, digits)
    }

    private init(unchecked whole: Double, _ digits: UInt32) {
      self.whole = whole
      self.digits = digits
    }

    /// 10.8 % of six digits were found from one video of somebody who types (Aviv et al., ACSAC
    /// 2017); that two digits are known otherwise is our own assumption.
    public static let standard = Glimpse(unchecked: 0.108, 2)
  }

  /// What they lay on the sensor.
  enum Finger: Hashable {
    /// Nothing.
    case none
    /// Their own finger, on the device of anybody or of somebody who is easy to impersonate.
    case own(isTargeted: Bool)
    /// A fake of the person's finger.
    case fake(AttackSpecies)
  }

  /// What they lay on the sensor before a finger of their own is enrolled.
  var finger: Finger {
    switch self {
    case .zeroEffort, .pin, .knownPIN, .shoulder: .own(isTargeted: false)
    case .targeted: .own(isTargeted: true)
    case .presentation(let species), .fakeAndPIN(let species): .fake(species)
    case .insider: .none
    }
  }

  /// Whether they try passcodes.
  var types: Bool {
    switch self {
    case .zeroEffort, .presentation: false
    case .targeted, .pin, .fakeAndPIN, .knownPIN, .shoulder, .insider: true
    }
  }
}
