import LocalAuthJSON
import LocalAuthUnix
import Testing

/// A bus and a polkitd of a test's own, with the shipped stack for polkit and an action that asks for oneself.
final class PolkitWorld: Sendable {
  /// Whether the programs are there that these tests drive.
  static let canRun =
    PAMModule.canDriveSuAndSudo
    && [
      helper, "/usr/bin/pkcheck", "/usr/bin/pkttyagent", "/usr/bin/dbus-daemon", "/usr/bin/nsenter",
    ]
    .allSatisfy(Files.exists)

  static let helper = "/usr/lib/polkit-1/polkit-agent-helper-1"

  let rig: PAMRig
  let stacks: ShippedStacks
  private let scratch = Scratch()
  private let world: RunningProgram

  /// Starts the bus; the module has `arguments` beside those of the shipped stack.
  init(_ rig: PAMRig, arguments: String = PAMRig.simulated) throws {
    self.rig = rig
    stacks = try ShippedStacks(rig, arguments: arguments)
    Files.setMode(0o755, of: scratch.path)
    _ = try scratch.makeDirectory("actions", mode: 0o755)
    try scratch.write(Self.actions, to: "actions/test.policy", mode: 0o644)
    // The bus starts polkitd for its first client, and polkitd ends with it.
    let start = """
      mount --bind \(scratch.file("actions")) /usr/share/polkit-1/actions
      mount -t tmpfs tmpfs /run; mkdir /run/dbus
      exec dbus-daemon --system --nofork --nopidfile --print-address=3
      """
    let words = stacks.inPlace(start)
    let ready = BytePipe()
    world = try RunningProgram(
      SpawnRequest(
        executable: words[0],
        arguments: Array(words.dropFirst()),
        environment: ["PATH=/usr/sbin:/usr/bin:/sbin:/bin"],
        descriptors: [.null, .null, .null, .duplicate(of: ready.writingEnd)]
      )
    )
    ready.closeWriter()
    guard ready.read(within: .seconds(60)) else { throw Machine.Missing(what: "a bus of its own") }
  }

  /// The words that run a command in there.
  func inside(_ words: [String]) -> [String] {
    ["/usr/bin/nsenter", "--target", "\(world.processID)", "--mount", "--"] + words
  }

  /// The words that run a command of our user's in there, in a new login.
  func asUser(_ record: String, _ words: [String]) -> [String] {
    inside(
      rig.logins.login(rig.account.uid, record) + ["/usr/bin/setpriv"]
        + Machine.asOther(words, uid: rig.account.uid)
    )
  }

  /// A text dialog of our user's on a terminal; for the process `subject` or itself.
  func dialog(_ record: String, for subject: Int32? = nil) throws -> TerminalProgram {
    let ready = BytePipe()
    let process = subject.map { "\($0)" } ?? "$$"
    let agent = "exec pkttyagent --process \(process) --notify-fd 3"
    let terminal = try TerminalProgram(
      asUser(record, ["/bin/sh", "-c", agent]),
      descriptors: [.duplicate(of: ready.writingEnd)]
    )
    ready.closeWriter()
    // The agent closes its end when polkit knows it.
    #expect(!ready.read(within: .seconds(60)))
    return terminal
  }

  /// Begins to ask whether a process may do what needs its user.
  func check(_ process: Int32) throws -> RunningProgram {
    let words = inside([
      "/usr/bin/pkcheck", "--allow-user-interaction", "--action-id", "io.localauth.test.self",
      "--process", "\(process)",
    ])
    return try RunningProgram(
      SpawnRequest(
        executable: words[0],
        arguments: Array(words.dropFirst()),
        environment: ["PATH=/usr/bin:/bin"],
        descriptors: [.null, .null, .null]
      )
    )
  }

  /// Lays a finger on the sensor.
  func touch(_ finger: String = "right-index") throws {
    _ = try rig.call(Interface.sensor + "Touch", ["finger": .text(finger)])
  }

  /// Nobody is asked for a finger, so none is judged.
  func expectOff() throws {
    let error = #expect(throws: Refusal.self) { try touch() }
    #expect(error?.error == "io.localauth.Sensor.NotArmed")
  }

  /// What its owner at this machine has of the device.
  func state() throws -> DeviceState {
    DeviceState(try rig.call(Interface.devices + "Status", ["origin": "owner"])["device"] ?? [:])
  }

  /// Policy, outcome and method of each evaluation of a device, oldest first.
  func evaluations(_ device: String = "sim") throws -> [[String]] {
    try rig.call(Interface.devices + "Audit", ["limit": .number(1000)], device: device)["lines"]?
      .elements.filter { $0["action"]?.string?.contains("evaluate") == true }
      .map { line in ["policy", "outcome", "method"].map { line[$0]?.string ?? "" } } ?? []
  }

  /// Waits until evaluations have ended so, as one that was cut off does a moment later.
  func waitForEvaluations(_ outcomes: [String]) throws {
    let deadline = Deadline.after(.seconds(30))
    while try evaluations().map({ $0[1] }) != outcomes, !deadline.hasPassed {}
    #expect(try evaluations().map { $0[1] } == outcomes)
  }

  /// Waits until the one evaluation has ended as a cancel: of the person's, or of a program that was ended.
  func waitForCancel() throws {
    let deadline = Deadline.after(.seconds(30))
    while try evaluations().last?[1].hasSuffix("Cancel") != true, !deadline.hasPassed {}
    let ended = try evaluations()
    #expect(ended.count == 1 && ended[0][1].hasSuffix("Cancel"), "\(ended)")
  }

  private static let actions = """
    <!DOCTYPE policyconfig PUBLIC "-//freedesktop//DTD PolicyKit Policy Configuration 1.0//EN"
      "http://www.freedesktop.org/standards/PolicyKit/1/policyconfig.dtd">
    <policyconfig>
      \(action("self"))
      \(action("run", #"<annotate key="org.freedesktop.policykit.exec.path">/usr/bin/id</annotate>"#))
    </policyconfig>

    """

  private static func action(_ name: String, _ more: String = "") -> String {
    let defaults = ["any", "inactive", "active"].map { "<allow_\($0)>auth_self</allow_\($0)>" }
      .joined()
    return """
      <action id="io.localauth.test.\(name)">
        <description>A test</description><message>A test asks</message>
        <defaults>\(defaults)</defaults>\(more)
      </action>
      """
  }
}
