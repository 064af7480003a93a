import LocalAuthCore
import LocalAuthKeychain
import LocalAuthSecret
import LocalAuthService

extension Home {
  /// Items of one commit, which are written in the order of their keys: fewer would touch each page more
  /// often, more would cost more memory than 100 MB.
  private static let batch = 50_000

  /// Adds `count` generic passwords: what `SecItemAdd` makes of an account, a service and data.
  func fill(_ count: Int) throws {
    var random = Course(seed: 7)
    var identifiers = ItemIdentifierSource()
    for start in stride(from: 0, to: count, by: Self.batch) {
      let numbers = start..<min(start + Self.batch, count)
      var items = try numbers.map {
        try sealed($0, as: identifiers.next(at: added(at: $0), using: &random))
      }
      items.sort { $0.header.key.words[0] < $1.header.key.words[0] }
      try add(items)
    }
  }

  private func added(at number: Int) -> WallInstant {
    WallInstant(milliseconds: 1_700_000_000_000 + Int64(number))
  }

  private func sealed(_ number: Int, as identifier: ItemIdentifier) throws -> SealedItem {
    let addition = try ItemAdd(
      [
        "class": .text("genp"), "acct": .text("account-\(number)"),
        "svce": .text("org.example.bench"), "labl": .text("Example"), "v_Data": .secret,
      ],
      groups: AccessGroups(["local"])
    )
    let (item, _) = try addition.admit(
      as: identifier,
      at: added(at: number),
      access: .available,
      enrolment: AccessControl.Enrolment(hasFingers: false, generation: 0, hasPasscode: false),
      occupant: { _ in .none }
    )
    guard let classKey = keybag.classKey(of: item.accessControl.protection),
      let sealed = vault.seal(item, data: data(of: item), classKey: classKey, password: nil)
    else { throw HomeError("item \(number) cannot be sealed") }
    return sealed
  }

  /// The identifier's 32 hexadecimal digits: data that whoever has the row can check.
  private func data(of item: Item) -> Secret {
    var data = Secret(capacity: 32)
    for byte in item.identifier.bytes {
      for digit in [byte >> 4, byte & 15] {
        _ = data.append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
      }
    }
    return data
  }
}
