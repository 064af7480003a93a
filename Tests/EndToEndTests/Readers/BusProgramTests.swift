import Testing

/// `localauth-bus` as somebody starts it by hand.
@Suite struct BusProgramTests {
  @Test func itsHelpSaysHowItIsUsed() throws {
    let report = try RunningProgram.run(Machine.localauthBus, ["--help"])
    #expect(report.status == 0)
    #expect(report.output.hasPrefix("usage: localauth-bus"))
  }

  @Test(arguments: [["--nothing"], ["--reader"], ["--bus"], ["reader"]])
  func whatItDoesNotUnderstandPointsToItsHelp(_ words: [String]) throws {
    let report = try RunningProgram.run(Machine.localauthBus, words)
    #expect(report.status == 64)
    #expect(report.errors.hasSuffix("see localauth-bus --help.\n"), "\(report.errors)")
  }

  @Test func withoutASocketItSaysWhoStartsIt() throws {
    let report = try RunningProgram.run(Machine.localauthBus)
    #expect(report.status == 64)
    #expect(report.errors.contains("descriptor 3 is no listening socket"), "\(report.errors)")
  }
}
