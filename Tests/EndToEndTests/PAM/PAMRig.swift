import LocalAuthJSON
import LocalAuthUnix

/// A service for all users, a user of it with a simulated device, and the PAM module that asks it.
final class PAMRig: Sendable {
  /// Arguments of the module for that device.
  static let simulated = "device=sim allow_simulated"

  let service: SystemService
  let module: PAMModule
  let account: LocalAccount
  let logins: TestLogins
  private let pam: TestModule

  /// Starts a service that asks PAM for what `pam` describes as `name`.
  init(_ pam: TestModule? = nil, service name: String = "permit") throws {
    self.pam = try pam ?? TestModule()
    service = try SystemService(module: self.pam, service: name)
    logins = try TestLogins()
    module = try PAMModule(asking: service.socket, logins: logins)
    account = try LocalAccount(password: "unused")
    try service.connect().create("sim", passcode: "1234", ["user": .number(account.uid)])
  }

  /// Calls a method about a device of the user's, as root.
  func call(
    _ method: String,
    _ more: [String: JSONValue] = [:],
    device: String = "sim"
  ) throws -> JSONValue {
    let parameters: JSONValue = ["user": .number(account.uid), "device": .text(device)]
    return try service.connect().call(method, parameters.setting(more)).get()
  }

  /// Queues what the sensor does for the next evaluation.
  func script(_ events: String) throws {
    _ = try call(Interface.sensor + "Script", ["events": .text(events)])
  }

  /// What pamtester says of operations on a service with these lines, for our user or another, in a login
  /// of our user's at a seat.
  func pamtester(
    stack: String,
    _ operations: String = "authenticate",
    for name: String? = nil,
    typing lines: String = "",
    under command: [String] = []
  ) throws -> RunningProgram.Report {
    let words =
      logins.login(account.uid) + command + ["/usr/bin/pamtester", "-v", "-I", "tty=tty1"]
      + [try module.service("", stack), name ?? account.name]
      + operations.split(separator: " ").map(String.init)
    return try RunningProgram.run(words[0], Array(words.dropFirst()), input: lines)
  }

  /// The same for a service whose every kind is the module with these arguments.
  func pamtester(
    _ arguments: String,
    _ operations: String = "authenticate",
    typing lines: String = "",
    under command: [String] = []
  ) throws -> RunningProgram.Report {
    try pamtester(
      stack: PAMModule.stack(with: arguments),
      operations,
      typing: lines,
      under: command
    )
  }

  /// The state of a device of the user's.
  func lockState(_ device: String = "sim") throws -> String {
    try call(Interface.devices + "Status", device: device)["device"]?["lockState"]?.string ?? ""
  }

  /// How acts whose name has this word in it ended, oldest first.
  func audited(_ word: String, device: String = "sim") throws -> [String] {
    try call(Interface.devices + "Audit", ["limit": .number(1000)], device: device)["lines"]?
      .elements.filter { $0["action"]?.string?.contains(word) == true }
      .map { $0["outcome"]?.string ?? "" } ?? []
  }
}

/// A PAM module that has words in the place of a person or of another module.
final class WordsModule: Sendable {
  private let scratch = Scratch()
  var path: String { scratch.file("pam_words.so") }

  init() throws {
    Files.setMode(0o755, of: scratch.path)
    try Machine.compile(Self.source, to: path, ["-shared", "-fPIC", "-lpam"])
    Files.setMode(0o755, of: path)
  }

  /// Sets the old word and the new one as items: `old=WORD new=WORD`.
  private static let source = #"""
    #include <security/pam_modules.h>
    #include <string.h>

    static int set(pam_handle_t *pam, int count, const char **words) {
      for (int i = 0; i < count; i++) {
        int item = strncmp(words[i], "old=", 4) == 0 ? PAM_OLDAUTHTOK : PAM_AUTHTOK;
        if (pam_set_item(pam, item, words[i] + 4) != PAM_SUCCESS) return PAM_SYSTEM_ERR;
      }
      return PAM_SUCCESS;
    }
    int pam_sm_authenticate(pam_handle_t *pam, int flags, int count, const char **words) {
      (void)flags;
      return set(pam, count, words);
    }
    int pam_sm_setcred(pam_handle_t *pam, int flags, int count, const char **words) {
      (void)pam, (void)flags, (void)count, (void)words;
      return PAM_SUCCESS;
    }
    int pam_sm_chauthtok(pam_handle_t *pam, int flags, int count, const char **words) {
      return flags & PAM_UPDATE_AUTHTOK ? set(pam, count, words) : PAM_SUCCESS;
    }
    """#
}
