import LocalAuthCore
import LocalAuthKeychain
import LocalAuthSync
import Testing

@testable import LocalAuthHost
@testable import LocalAuthService

/// A store of a device, as its programs use it.
extension SyncDevice {
  private func request(_ store: String?) -> GroupRequest {
    var request = GroupRequest(of: "sim", store, groups: AccessGroups(["local", "more"]))
    request.allowsSimulated = true
    return request
  }

  @discardableResult
  func write(
    _ changes: [KeyValueChange],
    _ store: String? = nil,
    removingAll removesAll: Bool = false
  ) throws -> KeyValueWritten {
    try value {
      engine.writeKeyValues(
        changes,
        removingAll: removesAll,
        request(store),
        on: 5,
        caller: caller,
        then: $0
      )
    }
  }

  func set(_ key: String, _ text: String, in store: String? = nil) throws {
    try write([KeyValueChange(key, KeyValueText.list(text))], store)
  }

  func unset(_ key: String, in store: String? = nil) throws {
    try write([KeyValueChange(key, nil)], store)
  }

  /// The values of a store, as property lists.
  func lists(in store: String? = nil) throws -> [String: [UInt8]] {
    let values = try engine.keyValues(request(store), caller: caller).values
    return Dictionary(uniqueKeysWithValues: values.map { ($0.key.text, $0.value) })
  }

  /// The short texts of a store.
  func texts(in store: String? = nil) throws -> [String: String] {
    try lists(in: store).mapValues { list in
      String(decoding: list[9..<(9 + Int(list[8] & 0xF))], as: UTF8.self)
    }
  }

  /// What programs that watch a store are told from now on.
  func watch(_ store: String? = nil) throws -> Heard {
    let heard = Heard()
    heard.watch = try engine.watchKeyValues(request(store), caller: caller) { report in
      guard let notice = report?.notice else { return }
      heard.notices.append(notice)
    }
    return heard
  }

  /// What a program heard of a store.
  final class Heard {
    var notices: [KeyValueNotice] = []
    fileprivate var watch: GroupWatch<KeyValueReport>?
  }

  /// Has whoever has the disk change what is kept of all stores, and items.
  func damageStores() throws {
    try restart { [path] in
      try ItemRows(path + "/" + StateFiles.database).execute("UPDATE item SET secret = x'00'")
    }
  }

  /// Has whoever has the disk change what is kept of one row of the table "notes".
  func damage(row: String) throws {
    let key = try #require(TableKey("local", "notes", ExactText(row)))
    let device = try engine.device(named: "sim", of: caller)
    let hash = TablePlace(device: device, key: key).keyHash
    try restart { [path] in try ItemRows(path + "/" + StateFiles.database).damage(hash) }
  }

  /// Has whoever has the disk change the long secrets, which chunks of documents have.
  func damageChunks() throws {
    try ItemRows(path + "/" + StateFiles.database).execute(
      "UPDATE item SET secret = zeroblob(length(secret)) WHERE length(secret) > 200000"
    )
  }

  /// Lets a second pass, after which changes of stores begin a round at once.
  func rest() { clock.pass(.seconds(1)) }

  /// The values among what was overruled.
  func overruled() throws -> [String] {
    try conflicts().compactMap { conflict in
      guard case .value(let store, let key) = conflict.subject else { return nil }
      return "\(store) \(key.text)"
    }
  }
}
