public import LocalAuthCore
import LocalAuthJSON

/// The value of one key in the file of a policy or lockout profile.
public struct PolicySetting: Hashable, Sendable {
  /// The key, with the keys of the enclosing objects: `freshness.anyWithin`.
  public let key: String
  /// The value in words.
  public let text: String
}

extension Policy {
  /// All settings except name and summary, defaults included.
  public var settings: [PolicySetting] {
    guard case .object(let members) = PolicyFile.json(self).content else { return [] }
    return members.flatMap { member in
      switch member.key {
      case "name", "summary": [PolicySetting]()
      case "requirement": [PolicySetting(key: member.key, text: requirement.words())]
      default: Self.settings(member.value, at: member.key)
      }
    }
  }

  private static func settings(_ value: JSONValue, at key: String) -> [PolicySetting] {
    switch value.content {
    case .object(let members): members.flatMap { settings($0.value, at: "\(key).\($0.key)") }
    case .array(let elements): elements.flatMap { settings($0, at: key) }
    case .string(let text): [PolicySetting(key: key, text: text)]
    case .integer(let number): [PolicySetting(key: key, text: "\(number)")]
    case .number(let number): [PolicySetting(key: key, text: "\(number)")]
    case .bool(let flag): [PolicySetting(key: key, text: "\(flag)")]
    case .null: []
    }
  }
}

extension LockoutProfile {
  /// All settings except the name, defaults included.
  public var settings: [PolicySetting] {
    let counts = [("missesPerEvaluation", missesPerEvaluation), ("locksAt", delays.locksAt)]
    return counts.compactMap { key, count in
      count.map { PolicySetting(key: key, text: "\($0)") }
    } + [
      PolicySetting(key: "fallbackAfterMisses", text: "\(fallbackAfterMisses)"),
      PolicySetting(key: "needsPasscode", text: "\(needsPasscode)"),
    ] + delays.settings
  }
}

extension DelayTable {
  fileprivate var settings: [PolicySetting] {
    var settings: [PolicySetting] = []
    if !rows.isEmpty {
      let text = rows.map(\.words).joined(separator: ", ")
      settings.append(PolicySetting(key: "delays", text: text))
    }
    switch forgets {
    case .all(let pause, let withRefusal)?:
      let refusal = withRefusal ? ", and after a refusal" : ""
      let text = "all after \(DurationText.format(pause))\(refusal)"
      settings.append(PolicySetting(key: "forgets", text: text))
    case .one(let interval)?:
      let text = "one every \(DurationText.format(interval))"
      settings.append(PolicySetting(key: "forgets", text: text))
    case nil: break
    }
    return settings
  }
}

extension DelayTable.Row {
  /// `30s at 5`, `1m at 6 to 9`, `30s from 30 on, doubled every 10`.
  fileprivate var words: String {
    let misses =
      switch through {
      case nil: "from \(from) on"
      case from: "at \(from)"
      case let last?: "at \(from) to \(last)"
      }
    let doubling = doublesEvery.map { ", doubled every \($0)" } ?? ""
    return "\(DurationText.format(delay)) \(misses)\(doubling)"
  }
}
