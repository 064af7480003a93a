import LocalAuthCore
import LocalAuthKeychain

/// The groups of most clients in these tests; the first is where additions go.
let ownGroups = AccessGroups(["team.app", "team.shared"])

/// The status of what `body` throws, or success.
func status<Value>(_ body: () throws(KeychainError) -> Value) -> KeychainStatus {
  do {
    _ = try body()
    return .success
  } catch {
    return error.status
  }
}

/// The status of the whole parse of each call.
func queryStatus(_ query: QueryDictionary, _ groups: AccessGroups = ownGroups) -> KeychainStatus {
  status { () throws(KeychainError) in try ItemQuery(query, groups: groups) }
}

func addStatus(_ query: QueryDictionary, _ groups: AccessGroups = ownGroups) -> KeychainStatus {
  status { () throws(KeychainError) in try ItemAdd(query, groups: groups) }
}

func deleteStatus(_ query: QueryDictionary, _ groups: AccessGroups = ownGroups) -> KeychainStatus {
  status { () throws(KeychainError) in try ItemDelete(query, groups: groups) }
}

func updateStatus(
  _ query: QueryDictionary,
  _ changes: QueryDictionary,
  _ groups: AccessGroups = ownGroups
) -> KeychainStatus {
  status { () throws(KeychainError) in try ItemUpdate(query, changes: changes, groups: groups) }
}

extension QueryDictionary {
  /// This dictionary with another pair.
  func with(_ key: String, _ value: QueryValue) -> Self {
    var copy = self
    copy[key] = value
    return copy
  }
}

/// A time, in milliseconds.
func wall(_ milliseconds: Int64) -> WallInstant { WallInstant(milliseconds: milliseconds) }

/// A time since boot, in seconds.
func boot(_ seconds: Double) -> BootInstant {
  BootInstant(nanoseconds: Int64(seconds * 1_000_000_000))
}

extension AccessControl.Enrolment {
  static let full = Self(hasFingers: true, generation: 7, hasPasscode: true)
  static let noFingers = Self(hasFingers: false, generation: 7, hasPasscode: true)
  static let nothing = Self(hasFingers: false, generation: 0, hasPasscode: false)
}

/// The item that `dictionary` adds on an unlocked device.
func item(
  _ dictionary: QueryDictionary,
  id: UInt64 = 1,
  at now: Int64 = 1000,
  groups: AccessGroups = ownGroups
) throws -> Item {
  try ItemAdd(dictionary, groups: groups).admit(
    as: ItemIdentifier(high: 0, low: id),
    at: wall(now),
    access: .available,
    enrolment: .full,
    occupant: { _ in .none }
  ).item
}

/// Whether `query` finds `item`.
func finds(
  _ query: QueryDictionary,
  _ item: Item,
  groups: AccessGroups = ownGroups
) throws -> Bool {
  try ItemQuery(query, groups: groups).selection.matches(item)
}
