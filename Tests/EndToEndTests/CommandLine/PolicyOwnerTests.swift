import Glibc
import LocalAuthUnix
import Testing

/// Policies are taken from nobody but whose they are: what somebody else could have put there, or taken
/// away, can be used by nobody, and is said.
@Suite(
  .enabled(if: Machine.canRunAsOther && Etc.canBeReplaced, "needs root, setpriv and unshare")
)
struct PolicyOwnerTests {
  private static let alice: UInt32 = 54_321
  private static let bob: UInt32 = 54_322
  private let etc: Etc

  init() throws { etc = try Etc() }

  private static func policy(_ name: String) -> String {
    #"{"name":"\#(name)","summary":"Of bob.","requirement":"passcode"}"#
  }

  /// What is done to `/etc/localauth`, and what is said then of the policy `device-owner`.
  private static let replaced: [(setup: String, reason: String)] = [
    ("chown 54322 localauth", "/etc/localauth belongs to user 54322; it must belong to root"),
    (
      "rm -r localauth/policies; chown 54322 localauth",
      "/etc/localauth belongs to user 54322; it must belong to root"
    ),
    ("chmod 777 localauth", "others can write to /etc/localauth; run chmod go-w on it"),
    (
      "chmod 1777 localauth/policies/policy",
      "others can write to /etc/localauth/policies/policy; run chmod go-w on it"
    ),
    ("chown 54322 .", "/etc belongs to user 54322; it must belong to root"),
    (
      "rm -r localauth/policies; ln -s none localauth/policies",
      "leads over a symbolic link to nothing"
    ),
    (
      "rm -r localauth/policies; touch localauth/policies",
      "/etc/localauth/policies is not a directory"
    ),
    (
      "cd localauth/policies/policy; seq -f %g.json 1001 | xargs touch",
      "/etc/localauth/policies/policy holds more than 1000 files"
    ),
  ]

  @Test(arguments: replaced.indices)
  func whereTheDirectoryIsNotTheAdministratorsNoPolicyCanBeUsed(_ index: Int) throws {
    let (setup, reason) = Self.replaced[index]
    for name in ["device-owner", "passcode"] {
      for words in Etc.uses(of: name) {
        let run = try etc.authctl(words, after: setup)
        #expect(run.status == 78, "\(setup): \(words): \(run.output)\(run.errors)")
        #expect(run.errors.contains(reason), "\(setup): \(words): \(run.errors)")
      }
    }
    let list = try etc.authctl(["policy", "list"], after: setup)
    for line in list.output.split(separator: "\n") where line.contains(" shipped ") {
      #expect(line.contains("unusable: "), "\(line)")
    }
    #expect(list.output.contains(reason), "\(setup): \(list.output)")
  }

  /// What is put in the place of one policy's file.
  private static let files: [(setup: String, reason: String)] = [
    ("mkfifo $FILE", "is not a regular file"), ("mkdir $FILE", "is not a regular file"),
    ("mknod $FILE c 1 3", "is not a regular file"), ("ln -s /dev/null $FILE", "regular file"),
    ("ln -s none.json $FILE", "leads over a symbolic link to nothing"),
    ("echo '{}' > $FILE; chmod 666 $FILE", "others can write to /etc/localauth/policies/policy/"),
    ("echo '{}' > $FILE; chown 54322 $FILE", "belongs to user 54322; it must belong to root"),
    ("ln -s /tmp/la-none-$$ $FILE; chown -h 54322 $FILE", "belongs to user 54322"),
  ]

  @Test(arguments: files.indices)
  func whatIsNoFileOfRootsMakesItsNameUnusableAndNoOther(_ index: Int) throws {
    let (setup, reason) = Self.files[index]
    let file = "FILE=localauth/policies/policy/device-owner.json; \(setup)"
    for words in Etc.uses(of: "device-owner") {
      let run = try etc.authctl(words, after: file)
      #expect(run.status == 78, "\(setup): \(words): \(run.output)\(run.errors)")
      #expect(run.errors.contains("/etc/localauth/policies/policy/device-owner.json"))
      #expect(run.errors.contains(reason), "\(setup): \(words): \(run.errors)")
    }
    let other = try etc.authctl(["policy", "show", "passcode"], after: file)
    #expect(other.status == 0, "\(setup): \(other.errors)")
  }

  @Test func aLinkOfRootsToAFileOfRootsIsFollowed() throws {
    let setup = """
      mkdir store; echo '\(Self.policy("device-owner"))' > store/p; ln -s ../store localauth/own
      ln -s ../../own/p localauth/policies/policy/device-owner.json
      """
    let run = try etc.authctl(["policy", "show", "device-owner"], after: setup)
    #expect(run.status == 0 && run.output.contains("device-owner (system)"), "\(run.errors)")
  }

  @Test func anotherUserCannotRewriteOnesOwnPolicy() throws {
    let home = try etc.home(of: Self.alice)
    let folder = home + "/localauth/policies/policy"
    let mine = #"{"name":"mine","summary":"Alice's.","requirement":"biometry"}"#
    _ = try RunningProgram.run(
      "/usr/bin/setpriv",
      Machine.asOther(
        [
          "/bin/sh", "-c", #"umask 022; mkdir -p "$0" && echo "$1" > "$0/mine.json""#, folder, mine,
        ],
        uid: Self.alice
      )
    )
    for words in Etc.uses(of: "user/mine").dropFirst() {
      let run = try etc.authctl(words, as: Self.alice, home: home)
      #expect(run.status != 78, "\(words): \(run.errors)")
    }
    Files.setMode(0o777, of: folder)
    let attack = try RunningProgram.run(
      "/usr/bin/setpriv",
      Machine.asOther(
        [
          "/bin/sh", "-c", #"rm -f "$0/mine.json" && echo "$1" > "$0/mine.json""#, folder,
          Self.policy("mine"),
        ],
        uid: Self.bob
      )
    )
    try #require(attack.status == 0, "\(attack.errors)")
    for words in Etc.uses(of: "user/mine") {
      let run = try etc.authctl(words, as: Self.alice, home: home)
      #expect(run.status == 78, "\(words): \(run.output)\(run.errors)")
      #expect(run.errors.contains("others can write to \(folder); run chmod go-w on it"))
    }
    let list = try etc.authctl(["policy", "list"], as: Self.alice, home: home)
    #expect(list.output.contains("others can write to \(folder)"), "\(list.output)")
    let shipped = try etc.authctl(["policy", "show", "passcode"], as: Self.alice, home: home)
    #expect(shipped.status == 0, "\(shipped.errors)")
  }
}

/// Machines whose `/etc` is a test's own, each in a mount namespace of its own.
private final class Etc {
  static let canBeReplaced =
    Files.exists("/usr/bin/unshare")
    && (try? RunningProgram.run("/usr/bin/unshare", ["--mount", "/bin/true"]))?.status == 0

  private let scratch = Scratch()
  private var runs = 0

  init() throws { Files.setMode(0o755, of: scratch.path) }

  /// What names a policy: a program that reads the directory itself, and the daemon's clients.
  static func uses(of policy: String) -> [[String]] {
    [
      ["policy", "solve", policy, "--days", "1"], ["policy", "show", policy],
      ["evaluate", "--policy", policy, "--reason", "a test"],
    ]
  }

  /// A home of the user.
  func home(of uid: UInt32) throws -> String {
    let path = try scratch.makeDirectory("home", mode: 0o755)
    _ = try RunningProgram.run("/bin/chown", ["\(uid)", path])
    return path
  }

  /// Runs `authctl`, with a daemon that it starts and that ends with it, where `setup` was done in `/etc`.
  func authctl(
    _ words: [String],
    after setup: String = "true",
    as uid: UInt32 = 0,
    home: String? = nil
  ) throws -> RunningProgram.Report {
    runs += 1
    let state = try scratch.makeDirectory("state-\(runs)")
    if uid != 0 { _ = try RunningProgram.run("/bin/chown", ["\(uid)", state]) }
    let program = uid == 0 ? Machine.authctl : Machine.sharedPrograms.file("authctl")
    let script = """
      umask 022; mkdir "$0" && cp /etc/passwd "$0" && mount --bind "$0" /etc && cd /etc || exit 90
      mkdir -p localauth/policies/policy; ( \(setup)
      ) || exit 91
      cd /; exec setpriv --reuid \(uid) --regid \(uid) --clear-groups -- "$@" < /dev/null
      """
    let run = try RunningProgram.run(
      "/usr/bin/unshare",
      ["--mount", "/bin/sh", "-c", script, scratch.file("etc-\(runs)"), program, "--home", state]
        + words,
      environment: [
        "PATH=/usr/sbin:/usr/bin:/sbin:/bin", "HOME=/dev/null",
        "XDG_CONFIG_HOME=" + (home ?? scratch.file("none")),
      ]
    )
    for daemon in try Processes.withArgument(state) {
      kill(daemon, SIGTERM)
      _ = try Processes.waitForEnd(of: daemon)
    }
    return run
  }
}
