import LocalAuthCore

/// All possible courses of a login from one device state: ``Login`` unfolded for every answer of
/// the sensor and of a typing person.
///
/// Nodes precede their successors; there are no cycles because every event increases some count.
struct LoginGraph {
  enum Node {
    /// A finger is presented until one is judged.
    case finger(match: Int, miss: Int, isLockout: Bool)
    /// The passcode is typed.
    case passcode(right: Int, wrong: Int)
    case wait(Duration, then: Int)
    /// The login is over.
    case end(End)
  }

  /// The end of a login, and the state it leaves.
  struct End: Hashable {
    /// The device state, on a clock where the login began at 0.
    var device: DeviceAttempts
    var isRejected: Bool
    var isTransaction: Bool
    var needsPasscode: Bool
    var isAccepted: Bool
  }

  /// The nodes; the login begins at the first.
  let nodes: [Node]
  /// The nodes that are ends, and what they are.
  let ends: [(node: Int, end: End)]

  /// Unfolds a login that begins at 0 on `device`.
  init(_ plan: PolicyCase, hasFinger: Bool, on device: DeviceAttempts) {
    var builder = Builder(plan)
    var facts = plan.device(hasFinger: hasFinger, at: .virtual(0))
    facts.attempts = device
    var login = Login(facts, under: plan.evaluationRules)
    let step = login.begin(plan, at: .virtual(0))
    _ = builder.visit(login, step, 0)
    let last = builder.nodes.count - 1
    // The builder finished the nodes from the ends backwards.
    nodes = builder.nodes.reversed().map { $0.renumbered { last - $0 } }
    ends = nodes.enumerated().compactMap { number, node in
      if case .end(let end) = node { (number, end) } else { nil }
    }
  }

  /// The identity of a point in a login.
  private struct Point: Hashable {
    var device: DeviceAttempts
    var evaluation: EvaluationMachine
    var progress: Login.Progress
    var step: Login.Step
    var now: Int64
  }

  private struct Builder {
    let plan: PolicyCase
    var nodes: [Node] = []
    var numbers: [Point: Int] = [:]

    init(_ plan: PolicyCase) { self.plan = plan }

    /// Returns the number of the node for this point; creates it and its successors if new.
    mutating func visit(_ login: Login, _ step: Login.Step, _ now: Int64) -> Int {
      let point = Point(
        device: login.facts.attempts,
        evaluation: login.evaluation,
        progress: login.progress.essence(patience: plan.habits.patience),
        step: step,
        now: now
      )
      if let number = numbers[point] { return number }
      nodes.append(node(login, step, now))
      numbers[point] = nodes.count - 1
      return nodes.count - 1
    }

    private mutating func node(_ login: Login, _ step: Login.Step, _ now: Int64) -> Node {
      let plan = plan
      switch step {
      case .finger:
        let miss = after(login, now) { $0.finger(matches: false, plan, at: $1) }
        return .finger(
          match: after(login, now) { $0.finger(matches: true, plan, at: $1) }.number,
          miss: miss.number,
          isLockout: miss.lockouts > login.result.lockouts
        )
      case .passcode:
        return .passcode(
          right: after(login, now) { $0.passcode(isRight: true, plan, at: $1) }.number,
          wrong: after(login, now) { $0.passcode(isRight: false, plan, at: $1) }.number
        )
      case .wait(let time):
        let later = now + time.wholeNanoseconds
        return .wait(time, then: after(login, later) { $0.waited(plan, at: $1) }.number)
      case .ended: return .end(End(login))
      }
    }

    private mutating func after(
      _ login: Login,
      _ now: Int64,
      _ event: (inout Login, Moment) -> Login.Step
    ) -> (number: Int, lockouts: UInt32) {
      var login = login
      let step = event(&login, .virtual(now))
      return (visit(login, step, now), login.result.lockouts)
    }
  }
}

extension LoginGraph.Node {
  fileprivate func renumbered(_ number: (Int) -> Int) -> Self {
    switch self {
    case .finger(let match, let miss, let isLockout):
      .finger(match: number(match), miss: number(miss), isLockout: isLockout)
    case .passcode(let right, let wrong): .passcode(right: number(right), wrong: number(wrong))
    case .wait(let time, let next): .wait(time, then: number(next))
    case .end: self
    }
  }
}

extension LoginGraph.End {
  fileprivate init(_ login: Login) {
    device = login.facts.attempts
    isRejected = login.result.isRejected
    isTransaction = login.result.isTransaction
    needsPasscode = login.result.passcodes > 0
    isAccepted = login.result.isAccepted
  }
}
