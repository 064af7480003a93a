public import LocalAuthCore

extension Requirement {
  /// Describes the requirement in words, as `presentation` asks for it: `a finger, or else the
  /// passcode`.
  public func words(_ presentation: Policy.Presentation = .sequential) -> String {
    switch self {
    case .biometry(.any): "a finger"
    case .biometry(.current): "a finger of the current set"
    case .passcode: "the passcode"
    case .applicationPassword: "the application's password"
    case .companion: "a companion device"
    case .possession(.any): "something that the person has"
    case .possession(.kind("code")): "a code"
    case .possession(.kind(let kind)): "a \(kind)"
    case .possession(.authenticator(let name)): "the authenticator '\(name)'"
    case .allOf(let parts):
      switch presentation {
      case .sequential: Self.join(parts, " and then ", presentation)
      case .parallel: Self.join(parts, " and ", presentation)
      }
    case .anyOf(let parts):
      switch presentation {
      case .sequential: Self.join(parts, ", or else ", presentation)
      case .parallel: Self.join(parts, " or ", presentation)
      }
    }
  }

  private static func join(
    _ parts: [Requirement],
    _ word: String,
    _ presentation: Policy.Presentation
  ) -> String {
    parts.map { part in
      switch part {
      case .allOf, .anyOf: "(\(part.words(presentation)))"
      case .biometry, .passcode, .applicationPassword, .companion, .possession:
        part.words(presentation)
      }
    }.joined(separator: word)
  }
}

extension Policy {
  /// The policy in a few plain sentences, one a line.
  public var explanation: [String] {
    let asksFor = requirement.words(presentation)
    var lines = [
      presentation == .parallel && requirement.factors.factors.count > 1
        ? "Asks for everything at once: \(asksFor)." : "Asks for \(asksFor)."
    ]
    if needsPasscodeSet { lines.append("Is refused on a device that has no passcode.") }
    if requirement.factors.contains(.biometry) { lines += biometryLines }
    if requirement.factors.contains(.passcode) {
      lines.append("Ends after \(CountText.of(passcodeTries, "wrong passcode")).")
    }
    if let timeLimit { lines.append("Ends after \(DurationText.words(timeLimit)).") }
    lines.append(grant?.line ?? "A success answers once: nothing of it is remembered.")
    lines.append("A success is worth the acr \(acr).")
    return lines
  }

  private var biometryLines: [String] {
    var lines = [fallbackLine, freshness.line]
    if minimumStrength > .convenience {
      lines.append("The sensor must be at least \(minimumStrength.rawValue).")
    }
    if let lockout {
      lines.append("The lockout profile \(lockout) holds too where it is the stricter one.")
    }
    lines.append(
      reuseLimit > .zero
        ? "A finger that unlocked the device stands in for a touch for "
          + "\(DurationText.words(reuseLimit)), where the caller wants that."
        : "A finger that unlocked the device never stands in for a touch."
    )
    return lines
  }

  private var fallbackLine: String {
    switch fallback {
    case .allowed:
      fallbackTitle.map { "The person may turn away from the finger: \"\($0)\"." }
        ?? "The person may turn away from the finger."
    case .forbidden: "Nothing is offered instead of the finger."
    case .forced: "The passcode is asked for at once, without the finger."
    }
  }
}

extension GrantRule {
  fileprivate var line: String {
    let uses = uses.map { ", at most \(CountText.of($0, "time"))" } ?? ""
    let idle = idle.map { ", unless \(DurationText.words($0)) pass without a use" } ?? ""
    return "A success answers the same caller and action again for \(DurationText.words(maxAge))"
      + "\(uses)\(idle), where the caller wants that."
  }
}

extension FreshnessRules {
  fileprivate var line: String {
    var conditions = ["after a boot"]
    if let anyWithin { conditions.append("\(DurationText.words(anyWithin)) after any success") }
    if let passcodeWithin {
      let grace = unlessMatchedWithin.map {
        " unless a finger matched within \(DurationText.words($0))"
      }
      conditions.append(
        "\(DurationText.words(passcodeWithin)) after the last passcode\(grace ?? "")"
      )
    }
    return "A finger does not count before the passcode was used: \(PolicyText.list(conditions))."
  }
}
