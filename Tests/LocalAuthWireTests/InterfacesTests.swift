import LocalAuthWire
import Testing

@Suite struct InterfacesTests {
  @Test func everyInterfaceHasADescriptionThatNamesIt() {
    #expect(Interfaces.all.count == 17)
    for (name, _, _) in Interfaces.all {
      #expect(
        Interfaces.description(of: name)?.contains("\ninterface \(name)\n") == true,
        "\(name)"
      )
    }
  }

  @Test func anUnknownInterfaceHasNone() { #expect(Interfaces.description(of: "io.x") == nil) }

  @Test func theDefaultsOfTheLimitsAreKept() {
    let limits = WireLimits()
    #expect(limits.frameBytesMax == 192 * 1024)
    #expect(limits.outputBytesMax == 1024 * 1024)
    #expect(limits.itemBytesMax == 64 * 1024)
    #expect(limits.connectionsMax == 4096)
    #expect(limits.connectionsPerUserMax == 1024)
    #expect(limits.pendingBytesPerUserMax == 32 * 1024 * 1024)
    #expect(limits.keptBytesPerUserMax == 128 * 1024 * 1024)
    #expect(limits.keptBytesMax == 256 * 1024 * 1024)
    #expect(limits.partialFrameLimit == .seconds(10))
    #expect(limits.timeoutMax == .seconds(3600))
    #expect(WireLimits.system.connectionsMax == 4096)
    #expect(WireLimits.system.connectionsPerUserMax == 128)
    #expect(WireLimits.system.pendingBytesPerUserMax == 4 * 1024 * 1024)
    #expect(WireLimits.system.keptBytesPerUserMax == 16 * 1024 * 1024)
    #expect(WireLimits.system.keptBytesMax == 256 * 1024 * 1024)
  }
}
