public import LocalAuthCore
import LocalAuthJSON

/// Reads the files in `policies/lockout`.
public enum LockoutProfileFile {
  static let keys = [
    "$schema", "name", "summary", "source", "delays", "locksAt", "forgets",
    "missesPerEvaluation", "fallbackAfterMisses", "needsPasscode",
  ]

  /// Parses the profile in `bytes`; `file` appears only in errors.
  public static func parse(_ bytes: [UInt8], file: String) throws(PolicyError) -> LockoutProfile {
    try read(bytes, file: file).profile
  }

  static func read(
    _ bytes: [UInt8],
    file: String
  ) throws(PolicyError)
    -> (profile: LockoutProfile, object: PolicyObject)
  {
    let document = try PolicyDocument(bytes, file: file)
    let object = try document.object(document.root, named: "lockout profile", keys: keys)
    let profile = LockoutProfile(
      name: try object.describe().name,
      delays: try object.delayTable(),
      missesPerEvaluation: try object.count("missesPerEvaluation", in: DelayFile.misses),
      fallbackAfterMisses: try object.count("fallbackAfterMisses", in: 0...100) ?? 0,
      needsPasscode: try object.flag("needsPasscode") ?? false
    )
    try check(profile, object)
    return (profile, object)
  }

  private static func check(_ profile: LockoutProfile, _ object: PolicyObject) throws(PolicyError) {
    if let limit = profile.missesPerEvaluation, let lock = profile.delays.locksAt, limit > lock {
      throw object.contradiction(
        "\"missesPerEvaluation\" is never reached; allowed: at most \(lock), the lock's count",
        at: "missesPerEvaluation"
      )
    }
    let ends = [profile.missesPerEvaluation, profile.delays.locksAt].compactMap(\.self).min()
    if let ends, profile.fallbackAfterMisses >= ends {
      throw object.contradiction(
        "the button never shows; allowed: less than \(ends), the miss that ends it",
        at: "fallbackAfterMisses"
      )
    }
  }
}

/// Reads the files in `policies/passcode-delay`.
public enum PasscodeDelaysFile {
  static let keys = ["$schema", "name", "summary", "source", "delays", "locksAt", "forgets"]

  /// Parses the table in `bytes`; `file` appears only in errors.
  public static func parse(_ bytes: [UInt8], file: String) throws(PolicyError) -> PasscodeDelays {
    try read(bytes, file: file).table
  }

  static func read(
    _ bytes: [UInt8],
    file: String
  ) throws(PolicyError)
    -> (table: PasscodeDelays, object: PolicyObject)
  {
    let document = try PolicyDocument(bytes, file: file)
    let object = try document.object(document.root, named: "passcode delay table", keys: keys)
    let name = try object.describe().name
    return (PasscodeDelays(name: name, delays: try object.delayTable()), object)
  }
}

/// The limits of delay tables.
enum DelayFile {
  static let rowKeys = ["from", "through", "delay", "doublesEvery"]
  static let forgetsKeys = ["all", "afterRefusal", "oneEvery"]
  static let rowsLimit = 64
  static let failures: ClosedRange<UInt32> = 1...10_000
  static let misses: ClosedRange<UInt32> = 1...100
}

extension PolicyObject {
  /// Reads `delays` and `locksAt`, one of which is required, and `forgets`.
  fileprivate func delayTable() throws(PolicyError) -> DelayTable {
    let locksAt = try count("locksAt", in: DelayFile.failures)
    let forgets = try forgetting()
    if forgets != nil, locksAt != nil {
      throw contradiction("only the passcode ends a lock; remove one of both", at: "forgets")
    }
    guard let list = find("delays") else {
      guard locksAt != nil else {
        // Only what delays can be forgotten.
        throw document.error(
          forgets == nil ? .missingBoth("locksAt", "delays") : .missingKey("delays"),
          at: value
        )
      }
      return DelayTable(locksAt: locksAt)
    }
    guard case .array(let elements) = list.content else {
      throw document.error(.wrongType(key: "delays", allowed: "a list of rows"), at: list)
    }
    guard !elements.isEmpty else { throw document.error(.empty("delays"), at: list) }
    guard elements.count <= DelayFile.rowsLimit else {
      throw document.error(.tooMany("delays", limit: DelayFile.rowsLimit), at: list)
    }
    var rows: [DelayTable.Row] = []
    for element in elements {
      rows.append(try document.row(element, after: rows.last, locksAt: locksAt))
    }
    return DelayTable(rows: rows, locksAt: locksAt, forgets: forgets)
  }

  private func forgetting() throws(PolicyError) -> Forgetting? {
    guard let found = find("forgets") else { return nil }
    let object = try document.object(found, named: "forgets", keys: DelayFile.forgetsKeys)
    let pause = try object.duration("all", in: .delay)
    let withRefusal = try object.flag("afterRefusal")
    guard let interval = try object.duration("oneEvery", in: .delay) else {
      return .all(after: try object.required("all", pause), withRefusal: withRefusal ?? false)
    }
    if pause != nil || withRefusal != nil {
      throw object.contradiction(
        "failures go one by one or all at once; allowed: \"oneEvery\" alone or \"all\"",
        at: "oneEvery"
      )
    }
    return .one(every: interval)
  }
}

extension PolicyDocument {
  fileprivate func row(
    _ value: JSONValue,
    after previous: DelayTable.Row?,
    locksAt: UInt32?
  ) throws(PolicyError) -> DelayTable.Row {
    let object = try object(value, named: "delays", keys: DelayFile.rowKeys)
    let row = DelayTable.Row(
      from: try object.required("from", try object.count("from", in: DelayFile.failures)),
      through: try object.through(),
      delay: try object.required("delay", try object.duration("delay", in: .delay)),
      doublesEvery: try object.count("doublesEvery", in: DelayFile.failures)
    )
    try checkOrder(row, after: previous, object)
    try checkReach(row, locksAt: locksAt, object)
    return row
  }

  private func checkOrder(
    _ row: DelayTable.Row,
    after previous: DelayTable.Row?,
    _ object: PolicyObject
  ) throws(PolicyError) {
    if let through = row.through, through < row.from {
      throw object.contradiction(
        "\"through\" comes before \"from\"; allowed: \(row.from) or more, or null",
        at: "through"
      )
    }
    guard let previous else { return }
    guard let last = previous.through else {
      throw error(
        .overlap(from: row.from, allowed: "no row after one whose \"through\" is null"),
        at: object.value
      )
    }
    guard row.from > last else {
      throw error(
        .overlap(from: row.from, allowed: "rows in ascending order, the next from \(last + 1)"),
        at: object.find("from") ?? object.value
      )
    }
  }

  private func checkReach(
    _ row: DelayTable.Row,
    locksAt: UInt32?,
    _ object: PolicyObject
  ) throws(PolicyError) {
    if let locksAt, max(row.from, row.through ?? row.from) >= locksAt {
      throw error(
        .withoutEffect("the lock at \(locksAt) comes first; allowed: up to \(locksAt - 1)"),
        at: object.find(row.from >= locksAt ? "from" : "through") ?? object.value
      )
    }
    if let step = row.doublesEvery, let last = row.through, last - row.from < step {
      throw error(
        .withoutEffect("the row ends before its delay doubles; remove \"doublesEvery\""),
        at: object.find("doublesEvery") ?? object.value
      )
    }
  }
}

extension PolicyObject {
  /// Reads the last count of a row; null means the row has no end.
  fileprivate func through() throws(PolicyError) -> UInt32? {
    guard case .null = find("through")?.content else {
      return try required("through", try count("through", in: DelayFile.failures))
    }
    return nil
  }
}
