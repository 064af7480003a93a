import Testing

@testable import LocalAuthUnix

@Suite struct SystemAccountTests {
  @Test func rootIsNumberZero() { #expect(SystemAccount.uid(of: "root") == 0) }

  @Test(arguments: ["", "no-such-account", "roo", "root:x", "0"])
  func whatIsNoAccountHasNoNumber(_ name: String) { #expect(SystemAccount.uid(of: name) == nil) }
}
