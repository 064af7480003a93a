import Testing

@testable import LocalAuthUnix

@Suite struct ControlGroupFileTests {
  private func path(_ text: String) -> String? { ControlGroupFile.path(in: Array(text.utf8)) }

  @Test(arguments: [
    ("0::/system.slice/cron.service\n", "/system.slice/cron.service"),
    ("0::/\n", "/"),
    ("0::/a:b/c\n", "/a:b/c"),
    ("9:name=systemd:/system.slice/cron.service\n8:pids:/x\n", "/system.slice/cron.service"),
    ("9:name=systemd:/system.slice/cron.service\n0::/\n", "/system.slice/cron.service"),
    ("9:name=systemd:/a.service\n4:memory:/b.service\n0::/a.service\n", "/a.service"),
    ("9:name=systemd:/\n0::/a.service\n", "/a.service"),
    ("9:name=systemd:/\n0::/\n", "/"),
  ])
  func findsThePathThatSystemdUses(_ text: String, _ expected: String) {
    #expect(path(text) == expected)
  }

  @Test(arguments: [
    "", "\n", "0::\n", "0:/\n", "8:pids:/a\n", "0::a\n", "nonsense\n0::/a\n",
    "0::/../outside\n", "0::/..\n", "0::/a.service (deleted)\n",
    "9:name=systemd:/a.service\n0::/b.service\n", "9:name=systemd:/../a\n0::/\n",
  ])
  func whatCannotBeToldIsNoPath(_ text: String) { #expect(path(text) == nil) }

  @Test func whatIsNotUTF8IsNoPath() {
    #expect(ControlGroupFile.path(in: Array("0::/a".utf8) + [0xFF, 0x0A]) == nil)
  }
}
