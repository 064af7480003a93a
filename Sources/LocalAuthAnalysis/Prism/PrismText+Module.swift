import LocalAuthCore

extension PrismText {
  /// The nodes that a login ends at, by what it counts as, and those of other kinds.
  var results: [String] {
    func ends(_ isMeant: (LoginGraph.End) -> Bool) -> String {
      nodes { if case .end(let end) = $0 { isMeant(end.result) } else { false } }
    }
    return [
      "// What a node means.",
      "formula isFinger = \(nodes { if case .finger = $0 { true } else { false } });",
      "formula isLockout = \(nodes { if case .lockout = $0 { true } else { false } });",
      "formula isPasscode = \(nodes { if case .passcode = $0 { true } else { false } });",
      "formula isEnd = \(ends { _ in true });",
      "formula isTransaction = \(ends(\.isTransaction));",
      "formula isRejected = \(ends(\.isRejected));",
      "formula isFallback = \(ends { $0.needsPasscode && plan.isFingerEnough });",
      "formula isDenied = \(ends { !$0.isAccepted });",
    ]
  }

  /// Says in ranges which numbers the nodes that are meant have.
  private func nodes(_ isMeant: (PrismNode) -> Bool) -> String {
    var ranges: [ClosedRange<Int>] = []
    for (index, node) in machines.nodes.enumerated() where isMeant(node) {
      let number = index + 1
      if let last = ranges.last, last.upperBound == number - 1 {
        ranges[ranges.count - 1] = last.lowerBound...number
      } else {
        ranges.append(number...number)
      }
    }
    guard !ranges.isEmpty else { return "false" }
    return ranges.map { "(node >= \($0.lowerBound) & node <= \($0.upperBound))" }
      .joined(separator: " | ")
  }

  /// The one module: a person is chosen, then lives login after login.
  var module: [String] {
    [
      "module person_with_device",
      "  // The class of the person, and the state of the finger: 0 is good, 1 impaired.",
      "  person : [0..\(people.count - 1)] init 0;",
      "  finger : [0..1] init 0;",
      "  // Where the person and the machines are; the number of the login.",
      "  node : [0..over] init 0;",
    ] + clock.variables + ["", "  [choose] node = 0 ->", beginnings + ";", ""]
      + machines.nodes.enumerated().flatMap { commands($0.element, at: $0.offset + 1) }
      + [
        "  [leave] isEnd & isLast -> (node'=over) & (person'=0) & (finger'=0) & \(clock.reset);",
        "  [rest] node = over -> true;", "endmodule",
      ]
  }

  private var beginnings: String {
    people.enumerated().flatMap { number, person in
      let first = "(person'=\(number)) & (node'=\(machines.first[person.hasFinger] ?? 0))"
      return [
        "    share\(number) * (1 - impaired) : \(first)",
        "    share\(number) * impaired : \(first) & (finger'=1)",
      ]
    }.joined(separator: " +\n")
  }

  private func commands(_ node: PrismNode, at number: Int) -> [String] {
    switch node {
    case .begin(let counts, let allowed, let due):
      return begin(counts, allowed, due, at: number)
    case .finger(let match, let miss):
      return [
        "  [touch] node = \(number) -> noneStays : true + noneTurns : (finger'=1 - finger)"
          + to(match, "match") + to(miss, "miss") + ";"
      ]
    case .lockout(let next): return ["  [close] node = \(number) -> (node'=\(next));"]
    case .passcode(let right, let wrong):
      return [
        "  [type] node = \(number) -> " + to(right, "right").dropFirst(3) + to(wrong, "wrong") + ";"
      ]
    case .wait(let time, let next):
      let turns = "turnsWaiting\(time.wholeNanoseconds)"
      return [
        "  [wait] node = \(number) -> 1 - \(turns) : (node'=\(next)) + \(turns) : (node'=\(next)) & "
          + "(finger'=1 - finger);"
      ]
    case .end(let end): return self.end(end, at: number)
    }
  }

  /// Two branches to a node, by whether the finger's state changes.
  private func to(_ node: Int, _ chance: String) -> String {
    " + \(chance)Stays : (node'=\(node)) + \(chance)Turns : (node'=\(node)) & (finger'=1 - finger)"
  }

  private func begin(
    _ counts: DeviceAttempts,
    _ allowed: Int?,
    _ due: Int?,
    at number: Int
  ) -> [String] {
    let (misses, wrong) = (counts.lockout.tally.failures, counts.throttle.tally.failures)
    let comment = ["  // \(misses) misses and \(wrong) wrong passcodes count."]
    guard clock.hasAges else {
      return comment
        + [allowed ?? due].compactMap(\.self).map {
          "  [begin] node = \(number) -> (node'=\($0));"
        }
    }
    return comment
      + [(allowed, "!due"), (due, "due")].compactMap { next, condition in
        next.map { "  [begin] node = \(number) & \(condition) -> (node'=\($0));" }
      }
  }

  private func end(_ end: PrismEnd, at number: Int) -> [String] {
    let nights = [(end.sameDay, " & !isLastOfDay"), (end.nextDay, " & isLastOfDay")]
    let ways = end.sameDay == end.nextDay ? [(end.sameDay, "")] : nights
    return ways.compactMap { next, condition in
      next.map {
        let update = "(node'=\($0)) & \(clock.updates(end))"
        return "  [pause] node = \(number) & !isLast\(condition) -> 1 - turnsPausing : \(update) + "
          + "turnsPausing : \(update) & (finger'=1 - finger);"
      }
    }
  }

  /// What a step from each state counts.
  var rewards: [String] {
    var waits: [String] = []
    for (index, node) in machines.nodes.enumerated() {
      guard case .wait(let time, then: _) = node else { continue }
      waits.append("  node = \(index + 1) : \(time / .seconds(1));")
    }
    let counts = [
      ("logins", "isEnd"), ("transactions", "isTransaction"), ("rejected", "isRejected"),
      ("fallbacks", "isFallback"), ("denied", "isDenied"), ("lockouts", "isLockout"),
      ("presentations", "isFinger"),
    ]
    return counts.map { "rewards \"\($0)\" \($1) : 1; endrewards" }
      + ["rewards \"seconds\"", "  isFinger : touching;", "  isPasscode : typing;"] + waits
      + ["endrewards"]
  }

  /// What can be asked for.
  var labels: [String] {
    [
      ("over", "node = over"), ("lockout", "isLockout"), ("fallback", "isFallback"),
      ("denied", "isDenied"),
    ].map { "label \"\($0)\" = \($1);" }
  }
}
