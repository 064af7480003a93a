import Testing

@testable import LocalAuthPolicies

@Suite struct ControlGroupPathTests {
  @Test(
    arguments: [
      ("/", nil, nil),
      ("/system.slice", nil, nil),
      ("/init.scope", "init.scope", nil),
      ("/system.slice/cron.service", "cron.service", nil),
      ("/system.slice/cron.service/worker/1", "cron.service", nil),
      ("/system.slice/system-getty.slice/getty@tty1.service", "getty@tty1.service", nil),
      ("/system.slice/_cgroup.service", "cgroup.service", nil),
      ("/user.slice/user-1000.slice/session-3.scope", "session-3.scope", nil),
      (
        "/user.slice/user-1000.slice/user@1000.service/app.slice/app-mail.scope",
        "user@1000.service", "app-mail.scope"
      ),
      (
        "/user.slice/user-1000.slice/user@1000.service/init.scope", "user@1000.service",
        "init.scope"
      ),
      ("/user.slice/user-1000.slice/user@1000.service", "user@1000.service", nil),
      ("/user.slice/user@x.service/mail.service", "user@x.service", nil),
      ("/user.slice/user@.service/mail.service", nil, nil),
      // A unit inside of another one's group is of that one's making.
      ("/system.slice/web.service/cron.service", "web.service", nil),
      ("/docker/0a1b/cron.service", nil, nil),
      ("/payload", nil, nil),
    ] as [(String, String?, String?)]
  )
  func namesTheUnits(_ path: String, _ system: String?, _ user: String?) throws {
    let group = try #require(ControlGroupPath(path))
    #expect(group.systemUnit == system)
    #expect(group.userUnit == user)
  }

  @Test(arguments: [
    "", "a", "//", "/a/", "/a//b", "/../a", "/a/../b", "/a/.", "/a\nb", "/a\u{202E}b",
    "/" + String(repeating: "a", count: 4095),
  ])
  func whatIsNoPathFromTheRootIsNoGroup(_ path: String) {
    #expect(ControlGroupPath(path) == nil)
  }

  @Test func twoSpellingsOfOneCharacterAreTwoGroups() {
    #expect(ControlGroupPath("/\u{E9}") != ControlGroupPath("/e\u{301}"))
    #expect(ControlGroupPath("/\u{E9}") == ControlGroupPath("/\u{E9}"))
  }

  @Test(arguments: [
    "cron", "cron.slice", "cron.target", ".service", "@.service", "getty@.service", "a b.service",
    "a/b.service", "cron.service ", "\u{E9}.service",
    String(repeating: "a", count: 248) + ".service",
  ])
  func whatNoProcessCanBeInIsNoUnit(_ name: String) { #expect(!UnitName.isValid(name)) }
}
