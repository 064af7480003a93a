import LocalAuthTestKit
import Security
import Testing

/// A typed wrapper: texts, dates, lists and sets.
@Suite struct ValueStoreTests {
  private struct Server: Codable, Equatable {
    var host: String
    var port: Int
    var certificate: Data?
  }

  private let device: TestDevice
  private let store = ValueStore(service: "settings")

  init() throws { device = try .phone() }

  @Test func everyTypeComesBackAsItWas() {
    device.use {
      let date = Date(timeIntervalSinceReferenceDate: 123.5)
      store["name"] = "Zoë 🔑"
      store["since"] = date
      store["ports"] = [443, 8_443]
      store["hosts"] = Set(["a", "b", "c"])
      store["isOn"] = false
      store["ratio"] = 0.1
      store["server"] = Server(host: "example.org", port: 22, certificate: Data([1, 2]))
      #expect(store["name"] == "Zoë 🔑")
      #expect(store["since"] == date)
      #expect(store["ports"] == [443, 8_443])
      #expect(store["hosts"] == Set(["c", "b", "a"]))
      #expect(store["isOn"] == false)
      #expect(store["ratio"] == 0.1)
      let server = store["server", Server.self]
      #expect(server == Server(host: "example.org", port: 22, certificate: Data([1, 2])))
    }
  }

  @Test func aValueIsReplacedAlsoByOneOfAnotherType() {
    device.use {
      store["key"] = "text"
      store["key"] = "another"
      #expect(store["key"] == "another")
      store["key"] = [1, 2, 3]
      #expect(store["key"] == [1, 2, 3])
      #expect(store["key", String.self] == nil)
    }
  }

  @Test func nilRemovesAndMissesAreNil() {
    device.use {
      #expect(store["key", String.self] == nil)
      store["key"] = "text"
      store["key"] = String?.none
      #expect(store["key", String.self] == nil)
      store["key"] = String?.none
    }
  }

  @Test func emptyValuesAreValues() {
    device.use {
      store["text"] = ""
      store["list"] = [String]()
      #expect(store["text"] == "")
      #expect(store["list"] == [String]())
    }
  }

  @Test func aValueCanBeReadWhileTheDeviceIsLocked() throws {
    try device.use {
      store["key"] = "text"
      try device.lockForGood()
      #expect(store["key"] == "text")
    }
  }
}
