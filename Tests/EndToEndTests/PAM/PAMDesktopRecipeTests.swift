import LocalAuthJSON
import LocalAuthUnix
import Testing

/// The stacks for the programs of desktops, which are asked in their place by pamtester: greeters as root, lockers as
/// the user whose screen it is; and what is below our line in each.
@Suite(
  .enabled(if: PAMModule.canDriveSuAndSudo, "needs root, useradd, make, unshare, su and sudo")
)
struct PAMDesktopRecipeTests {
  /// Each stack that we ship, and whether the program that it is for is root's.
  private static let recipes = [
    ("gdm-password", true), ("sddm", true), ("polkit-1", true), ("sudo", true), ("login", true),
    ("swaylock", false), ("hyprlock", false), ("unprivileged", false),
  ]
  private static let greetersAndLockers = ["gdm-password", "sddm", "swaylock", "hyprlock"]
  private static let password = "unused"

  private let rig: PAMRig

  init() throws { rig = try ShippedStacks.rig() }

  /// What pamtester says of a stack, run by root without a login or by the user.
  private func pamtester(
    _ stacks: ShippedStacks,
    _ service: String,
    _ operations: String = "authenticate",
    typing lines: [String]
  ) throws -> RunningProgram.Report {
    let isRoot = Self.recipes.first { $0.0 == service }?.1 == true
    let user = "--reuid \(rig.account.uid) --regid \(rig.account.uid) --clear-groups"
    let command = "pamtester \(service) \(rig.account.name) \(operations)"
    return try stacks.run(
      "exec " + (isRoot ? command : "setpriv \(user) \(command)"),
      typing: lines
    )
  }

  @Test(arguments: greetersAndLockers) func fingerOrPasscodeAtOnce(_ service: String) throws {
    let stacks = try ShippedStacks(rig, arguments: PAMRig.simulated)
    let passcode = try pamtester(stacks, service, "authenticate acct_mgmt", typing: ["1234"])
    #expect(passcode.status == 0, "\(passcode.output)\(passcode.errors)")
    let said = passcode.output + passcode.errors
    #expect(said.contains("Touch the sensor and press Enter, or: Passcode:"), "\(said)")
    // Enter with nothing typed, as a locker gives it, and the finger.
    try rig.script("match:right-index-finger")
    let finger = try pamtester(stacks, service, typing: [""])
    #expect(finger.status == 0, "\(finger.output)\(finger.errors)")
    #expect(try rig.audited("evaluate") == ["success", "success"])
  }

  /// Lockers and greeters give what was typed once to each question; that is one try.
  @Test(arguments: greetersAndLockers) func oneWrongPasscodeIsOneTry(_ service: String) throws {
    let stacks = try ShippedStacks(rig, arguments: PAMRig.simulated)
    let typed = Array(repeating: "4321", count: 20)
    let wrong = try pamtester(stacks, service, typing: typed)
    #expect(wrong.status != 0)
    let lines = try rig.call(Interface.devices + "Audit", ["limit": .number(9)])["lines"]?.elements
    #expect(lines?.last?["attempts"]?.integer == 1, "\(lines?.last ?? nil)")
  }

  /// Debian's stack, and pam_faillock with it, is below our line: it counts where LocalAuth cannot judge.
  @Test(arguments: recipes.map(\.0)) func faillockStaysBelow(_ service: String) throws {
    let stacks = try ShippedStacks(rig)
    let tally = "pam_faillock.so dir=\(try faillock(stacks)) deny=2 unlock_time=600"
    try stacks.describe(
      "common-auth",
      """
      auth required \(tally) preauth
      auth sufficient pam_unix.so nodelay
      auth [default=die] \(tally) authfail

      """
    )
    // While LocalAuth judges, nothing below is asked.
    let judged = try pamtester(stacks, service, typing: [Self.password])
    #expect(judged.status == 0, "\(judged.output)\(judged.errors)")
    for _ in 0..<3 {
      #expect(try pamtester(stacks, service, typing: ["bad", "worse", "worst"]).status != 0)
    }
    #expect(try rig.audited("evaluate", device: "default").first == "success")
    #expect(try Files.names(in: stacks.file("faillock")).isEmpty)
    try rig.service.daemon.end()
    Files.remove(rig.service.socket)
    let below = try pamtester(stacks, service, typing: [Self.password])
    #expect(below.status == 0, "\(below.output)\(below.errors)")
    for _ in 0..<2 { #expect(try pamtester(stacks, service, typing: ["wrong"]).status != 0) }
    let refused = try pamtester(stacks, service, typing: [Self.password])
    #expect(refused.status != 0, "\(refused.output)")
  }

  /// A directory of tallies that programs that are not root may write to.
  private func faillock(_ stacks: ShippedStacks) throws -> String {
    let directory = stacks.file("faillock")
    let make = ["-c", "mkdir \(directory) && chmod 1777 \(directory)"]
    _ = try RunningProgram.run("/bin/sh", make)
    return directory
  }
}
