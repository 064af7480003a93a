import LocalAuthCore
import LocalAuthKeychain
import LocalAuthSecret
import LocalAuthService
import LocalAuthTestSupport

@testable import LocalAuthStore

/// Items of two devices as they were stored, and what has become of them.
final class KeptItems: Sendable {
  /// One item, and how it is asked for.
  struct Kept: Sendable {
    var device: String
    var item: Item
    var data: String?
    var query: QueryDictionary
    var script: String?
    var password: String?
    /// Its row, for SQL.
    var place: [StatementValue] {
      [.text(device), .blob(item.identifier.bytes)]
    }
  }

  /// What one reading of an item gave.
  enum Reading: Equatable {
    case whole
    case nothing(KeychainError?)
    case altered(String)
  }

  static let passcode = "1234"
  private static let password = "open sesame"

  let items: [Kept]
  /// Files of a store that was closed.
  let closed: StateFiles
  /// Files as they are while the store is open, or after a crash: everything is in the log.
  let crashed: StateFiles

  /// Made once for all tests.
  static let shared = Result { try KeptItems() }

  private init() throws {
    let scratch = StateScratch()
    try StateRig.found(scratch.path)
    guard let rig = try StateRig(opening: scratch.path) else { throw NotMade(what: "a store") }
    guard rig.create("sim", passcode: Self.passcode), rig.create("bare", passcode: nil) else {
      throw NotMade(what: "devices")
    }
    var items: [Kept] = []
    for description in Self.descriptions { items.append(try description.made(in: rig)) }
    self.items = items
    crashed = StateFiles(of: scratch.path)
    rig.close()
    closed = StateFiles(of: scratch.path)
  }

  struct NotMade: Error {
    var what: String
  }

  /// An item that is to be made.
  private struct Description {
    var device = "sim"
    var account: String
    var data: String?
    var protection = ProtectionClass.whenUnlocked
    var flags: AccessControlFlags = []
    var script: String?
    var password: String?
    var more: QueryDictionary = [:]

    func made(in rig: StateRig) throws -> Kept {
      let isInternet = more["srvr"] != nil
      var query: QueryDictionary = ["class": .text(isInternet ? "inet" : "genp")]
      query["acct"] = .text(account)
      var attributes = query
      attributes["labl"] = .text("label of \(account)")
      attributes["agrp"] = more["agrp"] ?? .text("local")
      for entry in more.entries { attributes[entry.key] = entry.value }
      for entry in more.entries where entry.key != "icmt" { query[entry.key] = entry.value }
      attributes["accc"] = .accessControl(try AccessControl(protection, flags: flags))
      if data != nil { attributes["v_Data"] = .secret }
      attributes["r_Attributes"] = .boolean(true)
      let answer = rig.call(
        .add([NewItem(attributes, data: data.map { .of($0) })]),
        on: device,
        password: password
      )
      guard let item = answer?.items.first?.item else {
        throw NotMade(what: "\(account): \(answer?.error.map { "\($0)" } ?? "refused")")
      }
      return Kept(
        device: device,
        item: item,
        data: data,
        query: query,
        script: script,
        password: password
      )
    }
  }

  private static let descriptions = [
    Description(account: "empty", data: ""),
    Description(account: "none", data: nil),
    Description(account: "large", data: String(repeating: "0123456789abcdef", count: 4096)),
    Description(account: "ann", data: "secret of ann", protection: .afterFirstUnlock),
    Description(account: "bob", data: "secret of bob", protection: .always),
    Description(account: "cat", data: "secret of cat", protection: .whenUnlockedThisDeviceOnly),
    Description(
      account: "dan",
      data: "secret of dan",
      protection: .whenPasscodeSetThisDeviceOnly,
      more: ["agrp": .text("more"), "svce": .text("mail")]
    ),
    Description(
      account: "eve",
      data: "secret of eve",
      more: ["srvr": .text("example.org"), "port": .number(443), "icmt": .text("a remark")]
    ),
    Description(account: "any", data: "secret of any", flags: .biometryAny, script: "match"),
    Description(account: "too", data: "secret of too", flags: .biometryAny, script: "match"),
    Description(
      account: "set",
      data: "secret of set",
      flags: .biometryCurrentSet,
      script: "match"
    ),
    Description(
      account: "app",
      data: "secret of app",
      flags: .applicationPassword,
      password: password
    ),
    Description(device: "bare", account: "ann", data: "bare ann", protection: .afterFirstUnlock),
    Description(device: "bare", account: "bob", data: "bare bob", protection: .always),
    Description(
      device: "bare",
      account: "any",
      data: "bare any",
      flags: .biometryAny,
      script: "match"
    ),
  ]

  // MARK: Reading

  /// What every item reads as in a rig, by itself and in lists.
  func readings(in rig: StateRig) -> [Reading] {
    rig.unlock("sim", Self.passcode)
    var readings = items.map { read($0, in: rig) }
    for device in ["sim", "bare"] {
      for itemClass in ["genp", "inet"] {
        for found in list(itemClass, on: device, in: rig) {
          let index = items.firstIndex { $0.item.identifier == found.identifier }
          guard let index else {
            readings.append(.altered("\(found.identifier.text) was never stored"))
            continue
          }
          if items[index].item != found || items[index].device != device {
            readings[index] = .altered("in a list: \(found)")
          }
        }
      }
    }
    return readings
  }

  private func read(_ kept: Kept, in rig: StateRig) -> Reading {
    var query = kept.query
    query["r_Data"] = .boolean(true)
    query["r_Attributes"] = .boolean(true)
    let answer = rig.call(
      .copy(query, after: nil),
      on: kept.device,
      script: kept.script,
      password: kept.password
    )
    guard let answer, answer.error == nil else { return .nothing(answer?.error) }
    guard let found = answer.items.first, answer.items.count == 1 else {
      return .altered("\(answer.items.count) items")
    }
    guard found.item == kept.item else { return .altered("\(found.item)") }
    let data = found.data?.text
    // Data that is not there is answered as none.
    return data == kept.data ? .whole : .altered("\(data?.prefix(40) ?? "no data")")
  }

  /// What a search for every item gives, synchronizable or not; what asks for proof is left out.
  private func list(_ itemClass: String, on device: String, in rig: StateRig) -> [Item] {
    let query: QueryDictionary = [
      "class": .text(itemClass), "r_Attributes": .boolean(true), "m_Limit": .text("m_LimitAll"),
      "sync": .text("syna"), "u_AuthUI": .text("u_AuthUIS"),
    ]
    return rig.call(.copy(query, after: nil), on: device)?.items.map(\.item) ?? []
  }
}

/// Rows of the table of items, changed as somebody with a shell would.
struct ItemRows: ~Copyable {
  /// Columns in their order, but the first two, which say whose the item is and of which class.
  static let columns = [
    "key", "id", "protection", "class_key", "sync", "tombstone", "modified", "terms",
    "access_control", "wrapped_key", "attributes", "secret",
  ]

  private let database: Database

  init(_ path: String) throws { database = try Database.open(path, .readWrite) }

  func row(_ kept: KeptItems.Kept) throws -> [StatementValue] {
    var values: [StatementValue] = []
    try database.prepare(
      """
      SELECT * FROM item
      WHERE keychain = (SELECT number FROM keychain WHERE name = ?) AND id = ?
      """
    )
    .eachRow(kept.place) { row in
      for column in 0..<Int32(Self.columns.count + 2) {
        let isNumber = [0, 1, 4, 5, 6, 7, 8].contains(column)
        values.append(
          row.isNull(column)
            ? .null : isNumber ? .integer(row.integer(column)) : .blob(row.blob(column))
        )
      }
    }
    return values
  }

  func remove(_ kept: KeptItems.Kept) throws {
    let removed = try database.prepare(
      """
      DELETE FROM item
      WHERE keychain = (SELECT number FROM keychain WHERE name = ?) AND id = ?
      """
    )
    .run(kept.place)
    guard removed == 1 else { throw KeptItems.NotMade(what: "a row to change") }
  }

  func insert(_ row: [StatementValue]) throws {
    try database.prepare("INSERT INTO item VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
      .run(row)
  }

  /// Changes the secret of the item with this key.
  func damage(_ key: ItemHash) throws {
    let changed = try database.prepare(
      "UPDATE item SET secret = zeroblob(length(secret)) WHERE key = ?"
    )
    .run([.blob(key.bytes)])
    guard changed == 1 else { throw KeptItems.NotMade(what: "an item to damage") }
  }

  func execute(_ sql: StaticString) throws { try database.execute(sql) }
}
