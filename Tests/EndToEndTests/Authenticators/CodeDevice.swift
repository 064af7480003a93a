import LocalAuthJSON
import LocalAuthUnix

/// A simulated device with the passcode 2468 and an authenticator that asks for a text: the program in
/// authenticator.py, which keeps the rules or breaks one of them.
final class CodeDevice {
  let scratch = Scratch()
  let daemon: DaemonProcess
  static let program = Files.beside("authenticator.py", #filePath)

  init(_ mode: String = "good", simulated: Bool = true) throws {
    _ = try scratch.makeDirectory("manifests", mode: 0o755)
    try Self.writeManifest(mode, simulated: simulated, to: scratch)
    _ = try scratch.makeDirectory("home")
    let policies = "home/none/localauth/policies/policy"
    _ = try RunningProgram.run("/bin/mkdir", ["-p", scratch.file(policies)])
    for (name, requirement) in [
      ("code", "{\"kind\": \"code\"}"), ("named", "{\"authenticator\": \"codes\"}"),
      ("other", "{\"authenticator\": \"others\"}"), ("key", "{\"kind\": \"key\"}"),
      ("second", "{\"allOf\": [\"passcode\", {\"kind\": \"code\"}]}"),
    ] {
      try scratch.write(
        "{\"name\": \"\(name)\", \"summary\": \"Asks.\", \"requirement\": \(requirement)}",
        to: "\(policies)/\(name).json"
      )
    }
    daemon = try DaemonProcess(
      home: scratch.file("home"),
      DaemonProcess.Options(
        arguments: ["--authenticators", scratch.file("manifests")]
      )
    )
    let made = try authctl(["device", "create", "demo", "--passcode-stdin"], input: "2468\n")
    guard made.status == 0 else {
      throw DaemonProcess.NotStarted(exit: .unknown, errors: made.errors)
    }
  }

  static func manifest(_ mode: String, simulated: Bool = true) -> String {
    """
    {"name": "codes", "summary": "Texts of a test.", "program": "\(program)", "arguments": ["\(mode)"],
     "kind": "code", "asks": "text", "amr": "otp", "simulated": \(simulated)}
    """
  }

  static func writeManifest(_ mode: String, simulated: Bool, to scratch: Scratch) throws {
    try scratch.write(manifest(mode, simulated: simulated), to: "manifests/codes.json", mode: 0o644)
  }

  func authctl(_ words: [String], input: String = "") throws -> RunningProgram.Report {
    try Authctl.run(["--socket", daemon.socket, "--device", "demo"] + words, input: input)
  }

  /// Evaluates a policy of the user's, and answers what is asked.
  func evaluate(_ policy: String, _ script: String) throws -> RunningProgram.Report {
    try authctl([
      "--json", "evaluate", "--policy", "user/\(policy)", "--reason", "test", "--timeout", "20s",
      "--script", script,
    ])
  }

  /// The authenticator as the daemon lists it.
  func listed() throws -> JSONValue? {
    let lines = try authctl(["--json", "authenticator", "list"]).json["items"]
    guard case .array(let items)? = lines?.content else { return nil }
    return items.first
  }
}

extension Files {
  /// The path of a file in the folder above that of a source file.
  static func beside(_ name: String, _ source: String) -> String {
    "/" + source.split(separator: "/").dropLast(2).joined(separator: "/") + "/" + name
  }
}

extension JSONValue {
  /// The text of a string, or nil.
  var text: String? { if case .string(let text) = content { text } else { nil } }
}
