import LocalAuthJSON

extension Interface {
  static let keychain = "io.localauth.Keychain."
}

/// How a keychain call ended, as its caller saw it.
struct ItemAnswer: Sendable {
  var reply: WireClient.Reply

  private var answer: JSONValue? { reply.parameters["answer"] }

  /// Apple's status, or nil where the call itself was refused.
  var status: Int? { answer?["status"]?.integer }
  var exit: Int? { answer?["exit"]?.integer }
  /// The row of the outcome table, or the last part of the error's name.
  var outcome: String { answer?["outcome"]?.string ?? reply.errorName ?? "nothing" }
  var message: String { answer?["message"]?.string ?? reply.parameters["message"]?.string ?? "" }
  var items: [JSONValue] { answer?["items"]?.elements ?? [] }
  var next: String? { answer?["next"]?.string }
  var isDone: Bool { status == 0 }
}

/// A version of an item: every place of it that can hold a version does.
///
/// The data is twelve characters of base64's alphabet, so that it is nine bytes without any coding here.
enum ItemVersion {
  static func data(_ version: Int) -> JSONValue {
    let digits = String(version)
    return .text("version" + String(repeating: "0", count: 5 - digits.count) + digits)
  }

  /// The attributes of a version, beside its data.
  static func attributes(_ version: Int) -> JSONValue {
    ["labl": .text("label \(version)"), "icmt": .text("comment \(version)")]
  }

  /// The version that an item is wholly of; nil for a mixture.
  static func of(_ item: JSONValue) -> Int? {
    let label = item["attributes"]?["labl"]?.string ?? ""
    guard let version = label.split(separator: " ").last.flatMap({ Int($0) }) else { return nil }
    let expected = attributes(version)
    let isWhole =
      item["data"]?.string == data(version).string
      && ["labl", "icmt"].allSatisfy { item["attributes"]?[$0]?.string == expected[$0]?.string }
    return isWhole ? version : nil
  }
}

extension WireClient {
  /// The parameters of a keychain call on a simulated device.
  static func itemCall(
    on device: String,
    _ query: JSONValue,
    _ more: [String: JSONValue] = [:]
  ) -> JSONValue {
    let parameters: JSONValue = [
      "device": .text(device), "allowSimulated": true, "interactive": false, "query": query,
    ]
    return parameters.setting(more)
  }

  /// Calls a method of the keychain.
  func item(
    _ verb: String,
    on device: String,
    _ query: JSONValue,
    _ more: [String: JSONValue] = [:]
  ) throws(Failure) -> ItemAnswer {
    ItemAnswer(reply: try call(Interface.keychain + verb, Self.itemCall(on: device, query, more)))
  }

  /// Begins to add `count` items under an application password that is asked for; the call stays at
  /// its prompt.
  func beginAdding(_ count: Int = 1, data: JSONValue, on device: String) throws(Failure) {
    let control: JSONValue = ["protection": "ak", "flags": ["applicationPassword"]]
    let items = (0..<count).map { number -> JSONValue in
      let query: JSONValue = [
        "class": "genp", "acct": .text("\(number)"), "accc": ["accessControl": control],
      ]
      return ["query": query, "data": data]
    }
    let parameters: JSONValue = [
      "device": .text(device), "allowSimulated": true, "items": JSONValue(.array(items)),
    ]
    try send(Interface.keychain + "AddAll", parameters, more: true)
  }

  /// Every item of a query, page by page.
  func allItems(on device: String, _ query: JSONValue) throws -> [JSONValue] {
    var items: [JSONValue] = []
    var cursor: [String: JSONValue] = [:]
    while true {
      let answer = try item("Copy", on: device, query, cursor)
      if answer.outcome == "itemNotFound" { return items }
      guard answer.isDone else {
        throw Refusal(error: answer.outcome, parameters: answer.reply.parameters)
      }
      items += answer.items
      guard let next = answer.next else { return items }
      cursor = ["after": .text(next)]
    }
  }
}

extension JSONValue {
  /// A generic password by its service and account.
  static func password(_ service: String, _ account: String? = nil) -> JSONValue {
    let query: JSONValue = ["class": "genp", "svce": .text(service)]
    return account.map { query.setting(["acct": .text($0)]) } ?? query
  }

  /// The same with all of an object's members too.
  func adding(_ other: JSONValue) -> JSONValue {
    guard case .object(let members) = other.content else { return self }
    return setting(Dictionary(members.map { ($0.key, $0.value) }, uniquingKeysWith: { $1 }))
  }
}
