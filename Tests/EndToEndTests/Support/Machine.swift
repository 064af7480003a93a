import Glibc
import LocalAuthUnix

/// What this machine allows a test to do; what it does not allow is skipped by name.
enum Machine {
  /// Whether the tests run as root.
  static let isRoot = geteuid() == 0

  /// The directory of the programs under test: `LOCALAUTH_PROGRAMS` of the environment, or that of the
  /// test program, where the debug ones are.
  static let programs =
    ProcessEnvironment.current["LOCALAUTH_PROGRAMS"] ?? ThisProgram.directory ?? "/nonexistent"

  /// The debug one, which is linked dynamically, so that something can be loaded before it.
  static let dynamicAuthctl = (ThisProgram.directory ?? "/nonexistent") + "/authctl"

  /// The extension that SQLite loads.
  static let sqliteExtension = (ThisProgram.directory ?? "/nonexistent") + "/libmod_localauth.so"

  static var localauthd: String { programs + "/localauthd" }
  static var authctl: String { programs + "/authctl" }
  static var localauthBus: String { programs + "/localauth-bus" }
  static var localauthSync: String { programs + "/localauth-sync" }

  /// Whether a test may mount, in a namespace of its own.
  static let canMount =
    (try? RunningProgram.run("/usr/bin/unshare", ["--mount", "/bin/true"]))?.status == 0

  /// A uid that is neither ours nor root's.
  static let otherUID: UInt32 = 54_321

  /// The C compiler that the package itself needs, or nil.
  static let compiler: String? = find("gcc") ?? find("clang") ?? find("cc")

  /// Copies of the programs under test where every user can reach them.
  static let sharedPrograms: Scratch = {
    let scratch = Scratch.ofWholeRun()
    Files.setMode(0o755, of: scratch.path)
    let names = ["localauthd", "localauth-pam-worker", "localauth-fuse", "authctl"].map {
      "\(programs)/\($0)"
    }
    _ = try? RunningProgram.run("/usr/bin/install", ["-m", "755"] + names + [scratch.path])
    return scratch
  }()

  /// Whether the programs can be run as another user, who may not reach the Swift libraries.
  static let canRunAsOther: Bool = {
    guard isRoot, Files.exists("/usr/bin/setpriv") else { return false }
    let command = asOther([sharedPrograms.file("localauthd"), "--version"])
    return (try? RunningProgram.run("/usr/bin/setpriv", command))?.status == 0
  }()

  /// Arguments of setpriv(1) that run `command` as another user.
  static func asOther(_ command: [String], uid: UInt32 = otherUID) -> [String] {
    ["--reuid", "\(uid)", "--regid", "\(uid)", "--clear-groups", "--"] + command
  }

  /// Lifts the limit of open descriptors and says how many there may be.
  static let descriptorLimit: Int = {
    var limit = rlimit()
    // SAFETY: the pointer is valid for both calls.
    guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else {
      return 0
    }
    // Root may lift the hard limit too; the daemon, our child, inherits it.
    var lifted = rlimit(rlim_cur: 65_536, rlim_max: max(65_536, limit.rlim_max))
    let outcome = unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &lifted)
    if outcome != 0 {
      lifted = rlimit(rlim_cur: limit.rlim_max, rlim_max: limit.rlim_max)
      _ = unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &lifted)
    }
    return Int(clamping: lifted.rlim_cur)
  }()

  /// Where PATH has a program.
  static func find(_ name: String) -> String? {
    (ProcessEnvironment.current["PATH"] ?? "/usr/bin:/bin").split(separator: ":")
      .map { "\($0)/\(name)" }
      .first {
        // SAFETY: the string is a C string for the length of the call.
        unsafe access($0, X_OK) == 0
      }
  }

  /// Compiles C.
  static func compile(_ source: String, to output: String, _ options: [String] = []) throws {
    guard let compiler else { throw Missing(what: "a C compiler") }
    let file = output + ".c"
    try Files.write(Array(source.utf8), to: file)
    let path = ProcessEnvironment.current["PATH"] ?? "/usr/bin:/bin"
    let report = try RunningProgram.run(
      compiler,
      ["-std=gnu17", "-O1", "-Wall", "-o", output, file] + options,
      environment: ["PATH=\(path)"]
    )
    guard report.status == 0 else { throw Missing(what: "a working compiler: \(report.errors)") }
  }

  /// Something that a test cannot do without.
  struct Missing: Error {
    let what: String
  }
}
