import LocalAuthWire
import Testing

@Suite struct PAMServiceTests {
  @Test func isNamedOnTheCommandLine() throws {
    #expect(try #require(PAMService("sudo-i")).arguments == ["--service", "sudo-i"])
    let own = try #require(PAMService("a.b_c", in: "/etc/mine"))
    #expect(own.arguments == ["--service", "a.b_c", "--confdir", "/etc/mine"])
    #expect(own.files == ["/etc/mine/a.b_c"])
    #expect(try #require(PAMService("x")).files == ["/etc/pam.d/x", "/usr/lib/pam.d/x"])
  }

  @Test(arguments: [
    "", ".", "..", ".hidden", "a/b", "../x", "Upper", "a b", "a\u{0}", "a\n", "é",
    String(repeating: "x", count: 65),
  ])
  func otherNamesAreNone(name: String) {
    #expect(PAMService(name) == nil)
  }

  @Test(arguments: [
    "", "relative", "./x", "/a\nb", "/a\u{0}", "/" + String(repeating: "x", count: 4095),
  ])
  func otherDirectoriesAreNone(directory: String) {
    #expect(PAMService("x", in: directory) == nil)
  }

  @Test func usersAreNamesOfOneLine() {
    #expect(PAMService.isUser("ann") && PAMService.isUser("René") && PAMService.isUser("a b"))
    for wrong in ["", "a\u{0}", "a\n", "\u{7F}", String(repeating: "x", count: 257)] {
      #expect(!PAMService.isUser(wrong))
    }
  }
}
