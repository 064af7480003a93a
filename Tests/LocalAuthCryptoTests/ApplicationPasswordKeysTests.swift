import LocalAuthKeychain
import LocalAuthSecret
import Testing

@testable import LocalAuthCrypto

@Suite struct ApplicationPasswordKeysTests {
  private let item = ItemIdentifier(high: 1, low: 2)

  private func key(
    _ password: String,
    _ item: ItemIdentifier,
    installation: UInt8 = 1,
    cost: PasscodeCost = .minimum
  ) throws -> [UInt8]? {
    let keys = ApplicationPasswordKeys(try testKey(installation), cost: cost)
    return Sample.bytes(keys.key(of: secret(password), for: item))
  }

  @Test func thePasswordGivesTheSameKeyForItsItem() throws {
    let first = try key("open", item)
    #expect(first?.count == 32)
    #expect(try key("open", item) == first)
  }

  @Test func anotherPasswordItemInstallationOrCostGivesAnother() throws {
    let other = ItemIdentifier(high: 1, low: 3)
    let cost = try #require(PasscodeCost(passes: 2, kibibytes: 8))
    let keys = try [
      key("open", item), key("opem", item), key("", item), key("open", other),
      key("open", item, installation: 2), key("open", item, cost: cost),
    ]
    #expect(Set(keys).count == keys.count)
    #expect(!keys.contains(nil))
  }

  /// Written nowhere: another cost makes the items unopenable that have it.
  @Test func theCostIsPartOfTheFormat() {
    #expect(ApplicationPasswordKeys.cost == PasscodeCost(passes: 2, kibibytes: 19_456))
  }
}
