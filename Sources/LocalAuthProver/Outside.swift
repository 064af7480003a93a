import LocalAuthCore

/// The facts about authenticators that judge by themselves, which no machine can change.
struct Outside: Hashable {
  /// Whether they can be asked.
  var presence = SensorPresence.ready(.strong)
  /// Stands for the prints that are enrolled at the reader.
  var prints = first
  /// Stands for the programs that judge.
  var programs = first
  /// The prints and programs of when the passcode was last proven, or that an act of the device
  /// enrolled since.
  var trustedPrints = first
  var trustedPrograms = first

  private static let first: UInt64 = 1
  private static let second: UInt64 = 2
  /// The generation of the first prints.
  private static let firstGeneration: UInt64 = 2

  /// Other prints, or other programs, than `token` stands for.
  static func other(than token: UInt64) -> UInt64 { token == first ? second : first }

  /// Whether a judge is not the one of when the passcode was last proven, or knows other prints.
  var isStrange: Bool { arePrintsStrange || programs != trustedPrograms }
  var arePrintsStrange: Bool { prints != trustedPrints }

  /// The generation of the prints that a match is among; of none that anything was bound to, if it
  /// is not the first.
  var generation: UInt64 { prints == Self.first ? Self.firstGeneration : 0 }

  /// What the reader says is enrolled.
  var enrolled: EnrolledPrints {
    EnrolledPrints(fingers: [.rightIndex, .leftIndex], token: prints)
  }

  /// The owner proved the passcode, and with it that these judges are meant.
  mutating func trust() {
    trustedPrints = prints
    trustedPrograms = programs
  }
}

extension DeviceMachine {
  /// Has the machine see its judges as they are.
  mutating func see(_ outside: Outside, _ setup: Setup) {
    let isReady = if case .ready = outside.presence { true } else { false }
    sensor = outside.presence
    authenticators = isReady ? setup.authenticators : []
    programs = outside.programs
  }
}
