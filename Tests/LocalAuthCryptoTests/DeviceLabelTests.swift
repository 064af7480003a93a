import LocalAuthCore
import Testing

@testable import LocalAuthCrypto

@Suite struct DeviceLabelTests {
  @Test func noLabelIsTheBeginningOfAnother() {
    let identities: [(UInt32, String)] = [
      (0, "a"), (0, "ab"), (1, "a"), (0x61, ""), (0, ""), (0x0100_0000, "a"),
    ]
    let labels = identities.map { DeviceLabel(DeviceIdentity(owner: $0.0, name: $0.1)).bytes }
    for (index, label) in labels.enumerated() {
      for (other, longer) in labels.enumerated() where other != index {
        #expect(!longer.starts(with: label))
      }
    }
  }
}
