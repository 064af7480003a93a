import Glibc
import LocalAuthCore
import LocalAuthPolicies
import LocalAuthProver

// Says which property a mutant breaks, and nothing when none.

/// A policy with everything that the shipped ones leave out.
let strict = Policy(
  name: "strict",
  requirement: .anyOf([.biometry(.any), .passcode]),
  needsPasscodeSet: true,
  freshness: FreshnessRules(
    passcodeWithin: .seconds(1000),
    unlessMatchedWithin: .seconds(100)
  ),
  lockout: "nist-800-63b",
  grant: GrantRule(maxAge: .seconds(300), idle: .seconds(60), uses: 2)
)

/// A policy of both factors, of which an unlock can stand in for one.
let both = Policy(
  name: "both",
  requirement: .allOf([.biometry(.any), .passcode]),
  grant: GrantRule(maxAge: .seconds(300))
)

/// A policy of a finger that is refused after the first miss, so that few steps lead to an unlock that
/// stands in for it.
let brittle = Policy(name: "brittle", requirement: .biometry(.any))

/// A finger of the first set alone, so that it shows which set a match is said to be of.
let first = Policy(name: "first", requirement: .biometry(.current(generation: 2)))

/// What a person has, or a finger, whichever comes first.
let either = Policy(
  name: "either",
  requirement: .anyOf([.possession(.any), .biometry(.any)]),
  presentation: .parallel,
  grant: GrantRule(maxAge: .seconds(300))
)

/// What a person has, and nothing else.
let key = Policy(name: "key", requirement: .possession(.any))

let catalog = PolicyCatalog()
let shipped = [
  ("biometrics", "three-strikes", "apple"), ("passcode", "apple", "apple"),
  ("biometrics-and-passcode", "apple", "gatekeeper"),
  ("device-owner-parallel", "android", "gatekeeper"), ("biometrics", "faillock", "apple"),
  ("biometrics", "tpm", "apple"), ("biometrics", "fido", "apple"),
  ("passcode", "tpm", "gatekeeper"),
]
/// As many as take about a second.
let states = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 40_000

func profile(_ name: String) throws -> LockoutProfile {
  try catalog.lockoutProfile(named: name).get()
}

func delays(_ name: String) throws -> PasscodeDelays {
  try catalog.passcodeDelays(named: name).get()
}

var setups = try shipped.map { policy, lockout, table in
  Setup(
    policy: try catalog.policy(named: policy).get(),
    lockout: try profile(lockout),
    delays: try delays(table)
  )
}
setups.append(
  Setup(
    policy: strict,
    policyLockout: try profile("nist-800-63b"),
    lockout: try profile("android"),
    delays: try delays("gatekeeper")
  )
)
var once = try profile("three-strikes")
once.delays = DelayTable(locksAt: 1)
setups.append(Setup(policy: both, lockout: try profile("apple"), delays: try delays("apple")))
setups.append(Setup(policy: brittle, lockout: once, delays: try delays("apple")))
// Three misses end an evaluation by the policy's profile; by the device's none do.
setups.append(
  Setup(
    policy: brittle,
    policyLockout: try profile("apple"),
    lockout: try profile("android"),
    delays: try delays("apple")
  )
)
// The same with authenticators that judge by themselves.
for policy in [first, either, key, try catalog.policy(named: "device-owner").get()] {
  setups.append(
    Setup(
      policy: policy,
      lockout: try profile("three-strikes"),
      delays: try delays("apple"),
      surroundings: .byItself
    )
  )
}
/// Says what is broken in `model`, and ends the program.
func explore(_ model: some SmallModel) {
  var exploration = SmallExploration(model)
  exploration.run(states: states / 40)
  guard let violation = exploration.violations.first else { return }
  print("\(violation.property.name) by \(violation.trace.count) steps of \(model.name)")
  exit(1)
}
explore(ArmingModel())
for model in ItemModel.all { explore(model) }

for policy in ["device-owner", "passcode"] {
  setups.append(
    Setup(
      policy: try catalog.policy(named: policy).get(),
      lockout: try profile("three-strikes"),
      delays: try delays("apple"),
      surroundings: .others
    )
  )
}
for setup in setups {
  for pace in Pace.allCases {
    for beginning in Beginning.allCases {
      var exploration = Exploration(setup, Bounds(states: states / 2), pace, from: beginning)
      exploration.run()
      for violation in exploration.violations {
        print(
          "\(violation.property.name) by \(violation.trace.count) steps of \(setup.policy.name)"
        )
      }
      if !exploration.violations.isEmpty { exit(1) }
    }
  }
}
