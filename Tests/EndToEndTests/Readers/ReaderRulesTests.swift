import LocalAuthUnix
import Testing

/// The rules for polkit that are shipped, with the real polkitd, fprintd and the system's policy of the bus.
@Suite(
  .enabled(if: RuledReader.isPossible, "needs root, fprintd, polkitd, dbus-daemon and python3-gi")
)
struct ReaderRulesTests {
  @Test func withoutARuleTheServiceIsRefusedToo() throws {
    let reader = try RuledReader([])
    #expect(try reader.isRefused("fprintd-list", by: RuledReader.service))
    #expect(try reader.isRefused("fprintd-verify", by: RuledReader.service))
  }

  @Test(arguments: ["localauth.rules", "localauth-exclusive.rules"])
  func theServiceMayAskForOthersAndNobodyWithoutASessionMay(_ rules: String) throws {
    let reader = try RuledReader([rules])
    let list = try reader.run("fprintd-list", by: RuledReader.service)
    #expect(list.status == 0 && list.output.contains("right-index-finger"), "\(list)")
    let verification = try reader.begin("fprintd-verify", by: RuledReader.service)
    try reader.tell("scan one")
    #expect(try verification.waitForExit() == .status(0))
    for account in [RuledReader.owner, RuledReader.other] {
      #expect(try reader.isRefused("fprintd-list", by: account), "\(account)")
      #expect(try reader.isRefused("fprintd-verify", by: account), "\(account)")
    }
  }

  @Test func whereOthersMayAskTheExclusiveRulesLetNobodyButTheService() throws {
    let reader = try RuledReader(["localauth-exclusive.rules"], allowingAll: true)
    for program in ["fprintd-list", "fprintd-verify", "fprintd-enroll"] {
      #expect(try reader.isRefused(program, by: RuledReader.owner), "\(program)")
    }
    #expect(try reader.run("fprintd-list", by: RuledReader.service).status == 0)
  }

  @Test func theOtherRulesTakeNothingFromThoseWhoMayAsk() throws {
    let reader = try RuledReader(["localauth.rules"], allowingAll: true)
    #expect(try reader.run("fprintd-list", by: RuledReader.owner).status == 0)
    #expect(try reader.run("fprintd-list", by: RuledReader.service).status == 0)
  }
}

/// A virtual reader at which an account has a finger, in a mount namespace with a bus and accounts of its own.
///
/// Nothing of the machine's is changed, so nothing is left behind however a test ends.
private final class RuledReader {
  /// The account of `localauth-bus`, the one whose finger is enrolled, and another.
  static let service = "localauth-bus"
  static let owner = "la-owner"
  static let other = "la-other"

  static let isPossible =
    Machine.isRoot && ReaderDevice.isPossible
    && [
      "/usr/lib/polkit-1/polkitd", "/usr/bin/fprintd-list", "/usr/bin/unshare", "/usr/bin/nsenter",
      "/usr/bin/setpriv",
    ]
    .allSatisfy(Files.exists)
    && (try? RunningProgram.run("/usr/bin/unshare", ["--mount", "/bin/true"]))?.status == 0

  private static let script = Files.beside("bus-world.py", #filePath)
  private let scratch = Scratch()
  private let world: RunningProgram

  /// With these of our files of rules, and where `allowingAll` says so with one that comes after them and lets
  /// everybody ask, as the policy of fprintd does in an active session.
  init(_ rules: [String], allowingAll: Bool = false) throws {
    let files = rules.map { "\(Repository.path)/packaging/fprintd/\($0)" }
    if allowingAll { try scratch.write(Self.everybody, to: "everybody.rules", mode: 0o644) }
    let ready = BytePipe()
    world = try RunningProgram(
      SpawnRequest(
        executable: "/usr/bin/unshare",
        arguments: ["--mount", "/bin/sh", "-ec", Self.setup, scratch.path, Self.script] + files,
        environment: ["PATH=/usr/sbin:/usr/bin:/sbin:/bin"],
        descriptors: [.null, .null, .null, .duplicate(of: ready.writingEnd)]
      )
    )
    ready.closeWriter()
    guard ready.read(within: .seconds(60)) else { throw Machine.Missing(what: "a bus of its own") }
    try tell("enroll right-index-finger one \(Self.owner)")
  }

  /// Has the bus's world do something.
  func tell(_ command: String) throws {
    let report = try RunningProgram.run(
      "/usr/bin/python3",
      [Self.script, "tell", scratch.path, command]
    )
    guard report.status == 0, !report.output.hasPrefix("failed") else {
      throw Machine.Missing(what: "\(command): \(report.output)\(report.errors)")
    }
  }

  /// Runs a client of fprintd about the finger of the owner.
  func run(_ client: String, by account: String) throws -> RunningProgram.Report {
    let words = words(client, account)
    return try RunningProgram.run(words[0], Array(words.dropFirst()))
  }

  /// Starts one that waits for a finger.
  func begin(_ client: String, by account: String) throws -> RunningProgram {
    let words = words(client, account)
    return try RunningProgram(
      SpawnRequest(
        executable: words[0],
        arguments: Array(words.dropFirst()),
        environment: ["PATH=/usr/bin:/bin"],
        descriptors: [.null, .null, .null]
      )
    )
  }

  /// Whether polkit refuses it.
  func isRefused(_ client: String, by account: String) throws -> Bool {
    let report = try run(client, by: account)
    let said = report.output + report.errors
    return report.status != 0 && said.contains("PermissionDenied: Not Authorized")
  }

  private func words(_ client: String, _ account: String) -> [String] {
    ["/usr/bin/nsenter", "--target", "\(world.processID)", "--mount", "/usr/bin/setpriv"]
      + ["--reuid", account, "--regid", "nogroup", "--clear-groups", client, Self.owner]
  }

  // All of /etc is a copy: a file of it that is mounted over comes back as soon as somebody outside replaces it.
  private static let setup = #"""
    mount -t tmpfs -o mode=755 tmpfs /run && mkdir /run/dbus /run/etc
    cp -a /etc/. /run/etc && mount --bind /run/etc /etc
    sed -i /^localauth-bus:/d /etc/passwd
    number=61210
    for name in localauth-bus la-owner la-other; do
      number=$((number + 1))
      echo "$name:x:$number:$number::/nonexistent:/bin/sh" >> /etc/passwd
    done
    directory=$0 script=$1 && shift
    rm -f /etc/polkit-1/rules.d/* && chmod 755 /etc/polkit-1/rules.d
    for rules in "$@"; do install -m 644 "$rules" /etc/polkit-1/rules.d/10-localauth.rules; done
    [ ! -e "$directory/everybody.rules" ] || install -m 644 "$directory/everybody.rules" /etc/polkit-1/rules.d/20.rules
    exec /usr/bin/python3 "$script" serve "$directory" system
    """#

  private static let everybody = """
    polkit.addRule(function (action) {
      if (action.id.indexOf("net.reactivated.fprint.device.") === 0) return polkit.Result.YES;
    });
    """
}
