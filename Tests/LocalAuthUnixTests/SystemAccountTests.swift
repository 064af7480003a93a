import Testing

@testable import LocalAuthUnix

@Suite struct SystemAccountTests {
  @Test func rootIsNumberZero() { #expect(SystemAccount.uid(of: "root") == 0) }

  @Test func numberZeroIsCalledRoot() { #expect(SystemAccount.name(of: 0) == "root") }

  @Test func numberWithoutAnAccountHasNoName() {
    #expect(SystemAccount.name(of: 4_294_000_000) == nil)
  }

  @Test(arguments: ["", "no-such-account", "roo", "root:x", "0"])
  func whatIsNoAccountHasNoNumber(_ name: String) { #expect(SystemAccount.uid(of: name) == nil) }
}
