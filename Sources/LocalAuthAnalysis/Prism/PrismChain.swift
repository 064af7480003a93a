/// The chain of a ``Solution`` in PRISM's language, so that a model checker which is not ours can sum
/// it up.
///
/// Each presentation, passcode, wait and login is a step of its own. The model has every state that
/// the machines can get to, whatever the chance, so compare it with a solution that drops nobody
/// (``dropping``).
public struct PrismChain: Sendable {
  /// The share of people below which a solution for comparison drops them: nobody in effect.
  ///
  /// It is far above the smallest numbers there are, so that no product of shares becomes 0.
  public static let dropping = 1e-200
  /// The most states of a model: minutes of a model checker that looks at each state.
  public static let statesMax = 2_000_000
  /// The most nodes of a model, each with a command or two, all of which a model checker may look at for
  /// each state.
  public static let nodesMax = 6_000

  /// The model, for a `.prism` file.
  public let model: String
  /// The properties that give the quantities of a ``Solution``, for a `.props` file.
  public let properties: String
  /// The number of states, if every step has a chance; fewer are reached if a rate is 0 or 1.
  public let states: Int

  /// Writes `plan` for this many days, unless `isStopped` is true before a login is unfolded.
  ///
  /// - Throws: `PrismError` if there would be more than ``statesMax`` states or ``nodesMax`` nodes, or if
  ///   a login can last into the next one; `stopped` if it was stopped.
  public init(
    _ plan: PolicyCase,
    days: UInt32,
    isStopped: () -> Bool = { false }
  ) throws(PrismError) {
    let people = plan.sensor.classes(prints: plan.prints).filter { $0.weight > 0 }
    let logins = Int(days) * Int(plan.habits.loginsPerDay)
    var machines = PrismMachines(plan)
    // The beginning and the end, which all people share.
    var states = 2
    for hasFinger in [true, false] {
      let classes = people.count { $0.hasFinger == hasFinger }
      guard classes > 0 else { continue }
      // Each class has all states with a good finger, and with an impaired one.
      let room = (Self.statesMax - states) / (2 * classes)
      states +=
        2 * classes * (try machines.unfold(logins, hasFinger: hasFinger, room: room, isStopped))
    }
    let text = PrismText(plan, people, machines.numbered(), days: days, states: states)
    model = text.model
    properties = text.properties
    self.states = states
  }
}

/// Why a chain is not written.
public enum PrismError: Error, Hashable, Sendable, CustomStringConvertible {
  /// It has more states than ``PrismChain/statesMax``.
  case tooManyStates(Int)
  /// Its machines have more than ``PrismChain/nodesMax`` states of their own.
  case tooManyNodes(Int)
  /// A login may last into the next one.
  case overlappingLogins
  /// It was stopped before it was whole.
  case stopped

  /// What is wrong and what helps, in one line.
  public var description: String {
    switch self {
    case .tooManyStates(let most):
      "the chain has more than \(most) states; give it fewer days or logins, or a sensor with fewer "
        + "kinds of people, such as goats"
    case .tooManyNodes(let most):
      "the machines have more than \(most) states of their own; give the chain fewer days or logins, or a "
        + "lockout profile that locks"
    case .overlappingLogins: "a login can last into the next one; give it fewer logins a day"
    case .stopped: "it was stopped"
    }
  }
}
