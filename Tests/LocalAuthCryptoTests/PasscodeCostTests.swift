import LocalAuthCrypto
import Testing

@Suite struct PasscodeCostTests {
  @Test func theCostsAreInOrder() {
    #expect(PasscodeCost.standard.isAtLeast(.floor))
    #expect(PasscodeCost.floor.isAtLeast(.minimum))
    #expect(!PasscodeCost.minimum.isAtLeast(.floor))
    #expect(PasscodeCost.standard.kibibytes == 64 * 1024 && PasscodeCost.standard.passes == 3)
  }

  @Test(
    arguments: [
      (0, 8), (17, 8), (UInt32.max, 8), (1, 0), (1, 7), (1, 262_145), (1, UInt32.max),
      (UInt32.max, UInt32.max),
    ] as [(UInt32, UInt32)]
  )
  func whatWouldExhaustTheMachineIsNoCost(_ passes: UInt32, _ kibibytes: UInt32) {
    #expect(PasscodeCost(passes: passes, kibibytes: kibibytes) == nil)
  }
}
