import LocalAuthAnalysis
import LocalAuthCore

/// A share, from 0 to 1.
struct Share: ExpressibleByArgument {
  let value: Double

  init?(argument: String) {
    guard let value = Double(argument), (0...1).contains(value) else { return nil }
    self.value = value
  }

  static var expectation: String { "a number from 0 to 1, such as 0.001 or 1e-3" }
}

/// An amount of money, or a number of events: 0 or more.
struct Amount: ExpressibleByArgument {
  let value: Double

  init?(argument: String) {
    guard let value = Double(argument), (0...1e12).contains(value) else { return nil }
    self.value = value
  }

  static var expectation: String { "a number from 0 on, such as 2 or 0.5" }
}

/// How often an attacker may get in: `0.01` for all that are asked for, `pin=0.001` for one kind.
struct AttackLimit: ExpressibleByArgument {
  let attacker: AttackerChoice?
  let rate: Double

  init?(argument: String) {
    let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard let text = parts.last, let rate = Share(argument: String(text)) else { return nil }
    let attacker = parts.count > 1 ? AttackerChoice(rawValue: String(parts[0])) : nil
    guard parts.count == 1 || attacker != nil else { return nil }
    self.attacker = attacker
    self.rate = rate.value
  }

  static var expectation: String { "a rate from 0 to 1, or KIND=RATE such as pin=0.001" }
}

/// How long a login may take: parts of a second count.
struct LoginTime: ExpressibleByArgument {
  let duration: Duration

  init?(argument: String) {
    let digits = argument.hasSuffix("s") ? String(argument.dropLast()) : argument
    if let seconds = Double(digits), (0.001...3600).contains(seconds) {
      duration = .milliseconds(Int64((seconds * 1000).rounded()))
    } else if let parsed = DurationText.parse(argument), parsed > .zero,
      parsed <= .seconds(3600)
    {
      duration = parsed
    } else {
      return nil
    }
  }

  static var expectation: String { "a time of up to an hour, such as 1.5s or 800ms" }
}

/// The authenticators that there are: words with commas between them.
struct AuthenticatorList: ExpressibleByArgument {
  let authenticators: ChoiceAuthenticators

  init?(argument: String) {
    var (factors, kinds) = ([] as FactorSet, [] as Set<String>)
    for word in argument.split(separator: ",", omittingEmptySubsequences: false) {
      switch word {
      case "finger": factors.insert(.biometry)
      case "passcode": factors.insert(.passcode)
      case "key", "code": kinds.insert(String(word))
      default: return nil
      }
    }
    authenticators = ChoiceAuthenticators(factors: factors, kinds: kinds)
  }

  static var expectation: String {
    "words of finger, passcode, key and code with commas between them, such as finger,passcode"
  }
}

extension ChoiceAuthenticators {
  /// The words of the list.
  var words: String {
    let factors = [
      self.factors.contains(.biometry) ? "finger" : nil,
      self.factors.contains(.passcode) ? "passcode" : nil,
    ]
    return (factors.compactMap(\.self) + kinds.sorted(by: >)).joined(separator: ",")
  }
}

/// How many policies are shown.
struct ShownCount: ExpressibleByArgument {
  let count: Int

  init?(argument: String) {
    guard let count = Int(argument: argument), (1...100).contains(count) else { return nil }
    self.count = count
  }

  static var expectation: String { "a number from 1 to 100" }
}
