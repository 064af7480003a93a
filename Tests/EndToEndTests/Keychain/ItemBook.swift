import LocalAuthJSON

/// What the one client of a device knows about its items and its passcode, from the replies that it
/// received.
///
/// A crash may keep the change that was under way or undo it, wholly: what is durable afterwards is
/// the state before it or the state after it, and the latter where it was acknowledged.
struct ItemBook {
  /// What a device keeps.
  struct State: Equatable {
    /// The version of each item, by its account.
    var items: [Int: Int] = [:]
    /// The passcode, or nil without one.
    var passcode: String?
  }

  /// A change.
  enum Change: Equatable {
    case add(Int, version: Int)
    case update(Int, version: Int)
    case updateAll(version: Int)
    case delete(Int)
    case setPasscode(String)
    case removePasscode
    case unlock(String)
    case erase
  }

  /// The account whose item is gone when the passcode is removed.
  static let needsPasscode = 3
  static let accounts = 0...needsPasscode
  static let service = "crash"

  private(set) var state = State()
  /// Wrong passcodes since the last right one.
  private(set) var wrongPasscodes = 0
  private(set) var pending: Change?

  /// What a change makes of the state.
  func after(_ change: Change) -> State {
    var next = state
    switch change {
    case .add(let account, let version):
      if next.items[account] == nil { next.items[account] = version }
    case .update(let account, let version):
      if next.items[account] != nil { next.items[account] = version }
    case .updateAll(let version): next.items = next.items.mapValues { _ in version }
    case .delete(let account): next.items[account] = nil
    case .setPasscode(let passcode): next.passcode = passcode
    case .removePasscode:
      next.passcode = nil
      next.items[Self.needsPasscode] = nil
    case .unlock: break
    case .erase: next = State()
    }
    return next
  }

  /// A change is about to be asked for.
  mutating func began(_ change: Change) { pending = change }

  /// It was answered; false where the answer is none that this state can give.
  mutating func ended(with outcome: String) -> Bool {
    guard let change = pending else { return false }
    pending = nil
    guard outcome == expected(of: change) else { return false }
    let isDone = outcome == "success"
    if isDone { state = after(change) }
    switch change {
    case .setPasscode, .removePasscode, .erase: wrongPasscodes = 0
    case .unlock: wrongPasscodes = isDone ? 0 : wrongPasscodes + 1
    case .add, .update, .updateAll, .delete: break
    }
    return true
  }

  private func expected(of change: Change) -> String {
    switch change {
    case .add(let account, _): state.items[account] == nil ? "success" : "duplicateItem"
    case .update(let account, _), .delete(let account):
      state.items[account] == nil ? "itemNotFound" : "success"
    case .updateAll: state.items.isEmpty ? "itemNotFound" : "success"
    case .setPasscode, .removePasscode, .erase: "success"
    case .unlock(let passcode): passcode == state.passcode ? "success" : "authenticationFailed"
    }
  }

  /// The states that may be durable after a crash.
  var possible: [State] {
    guard let pending else { return [state] }
    let next = after(pending)
    return next == state ? [state] : [state, next]
  }

  /// The counts of wrong passcodes that may be durable after a crash.
  var possibleWrongPasscodes: Set<Int> {
    switch pending {
    case .setPasscode, .removePasscode: [wrongPasscodes, wrongPasscodes + 1, 0]
    case .erase: [wrongPasscodes, 0]
    case .unlock(let passcode):
      passcode == state.passcode
        ? [wrongPasscodes, wrongPasscodes + 1, 0] : [wrongPasscodes, wrongPasscodes + 1]
    case .add, .update, .updateAll, .delete, nil: [wrongPasscodes]
    }
  }

  /// The daemon was started again and was found to hold this; the passcode was proven since.
  mutating func found(_ state: State) {
    self.state = state
    wrongPasscodes = 0
    pending = nil
  }
}

extension WireClient {
  /// Asks for a change of a device.
  func send(_ change: ItemBook.Change, on device: String, knowing state: ItemBook.State) throws {
    let devices = Interface.devices
    var passcode: JSONValue = ["device": .text(device)]
    if let known = state.passcode { passcode = passcode.setting(["passcode": .text(known)]) }
    switch change {
    case .setPasscode(let new):
      try send(devices + "SetPasscode", passcode.setting(["new": .text(new)]))
    case .removePasscode: try send(devices + "RemovePasscode", passcode)
    case .unlock(let word):
      try send(devices + "Unlock", ["device": .text(device), "passcode": .text(word)])
    case .erase: try send(devices + "Erase", ["device": .text(device)])
    case .add(let account, let version):
      var item = Self.query(account).adding(ItemVersion.attributes(version))
      if account == ItemBook.needsPasscode { item = item.setting(["pdmn": "akpu"]) }
      try send(item: "Add", on: device, item, ["data": ItemVersion.data(version)])
    case .update(let account, let version):
      try send(item: "Update", on: device, Self.query(account), Self.changes(version))
    case .updateAll(let version):
      let query = JSONValue.password(ItemBook.service)
      try send(item: "Update", on: device, query, Self.changes(version))
    case .delete(let account): try send(item: "Delete", on: device, Self.query(account), [:])
    }
  }

  private func send(
    item verb: String,
    on device: String,
    _ query: JSONValue,
    _ more: [String: JSONValue]
  ) throws {
    try send(Interface.keychain + verb, Self.itemCall(on: device, query, more))
  }

  private static func query(_ account: Int) -> JSONValue {
    .password(ItemBook.service, "account \(account)")
  }

  private static func changes(_ version: Int) -> [String: JSONValue] {
    ["changes": ItemVersion.attributes(version), "data": ItemVersion.data(version)]
  }

  /// How the change ended that was asked for.
  func receiveOutcome() throws(Failure) -> String {
    let reply = try receive()
    if let answer = reply.parameters["answer"] { return answer["outcome"]?.string ?? "" }
    guard reply.error != nil else { return "success" }
    return reply.parameters["outcome"]?.string ?? "\(reply.errorName ?? ""): \(reply.parameters)"
  }

  /// Every item that the changes are about, each wholly of one version; nil for a mixture.
  func itemVersions(on device: String) throws -> [Int: Int?] {
    let query = JSONValue.password(ItemBook.service).setting([
      "m_Limit": "m_LimitAll", "r_Data": true, "r_Attributes": true,
    ])
    var versions: [Int: Int?] = [:]
    for item in try allItems(on: device, query) {
      let account = item["attributes"]?["acct"]?.string?.split(separator: " ").last
      versions[account.flatMap { Int($0) } ?? -1] = ItemVersion.of(item)
    }
    return versions
  }
}
