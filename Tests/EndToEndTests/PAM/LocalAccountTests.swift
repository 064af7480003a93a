import LocalAuthJSON
import LocalAuthUnix
import Testing

/// Real accounts and pam_unix: the daemon runs as the account's user, as it would for a person.
@Suite(
  .enabled(if: LocalAccount.canBeMade, "needs root, useradd and a reachable build")
)
struct LocalAccountTests {
  private static let stack =
    "auth required pam_unix.so nodelay\naccount required pam_unix.so\n"
  private static let password = "correct horse"

  /// An account with a daemon of its own, whose `default` device asks pam_unix.
  private final class Person: Sendable {
    let account: LocalAccount
    let scratch = Scratch()
    let daemon: DaemonProcess

    init() throws {
      account = try LocalAccount(password: password)
      Files.setMode(0o755, of: scratch.path)
      let services = try scratch.makeDirectory("pam.d", mode: 0o755)
      try scratch.write(stack, to: "pam.d/localauth", mode: 0o644)
      let home = try scratch.makeDirectory("home")
      _ = try RunningProgram.run("/bin/chown", ["\(account.uid)", home])
      daemon = try DaemonProcess(
        home: home,
        .init(arguments: ["--pam-confdir", services], uid: account.uid)
      )
    }

    /// Evaluates `passcode` on the user's own machine, with that password as often as it is asked.
    func evaluate(_ password: String) throws -> String {
      let answers = Array(repeating: "passcode:\"\(password)\"", count: 3).joined(separator: ",")
      // Only the account itself may connect.
      let frame = JSONValue(
        .object([
          .init(key: "method", value: .text(Interface.authentication + "Evaluate")),
          .init(
            key: "parameters",
            value: [
              "policy": "passcode", "reason": "x", "script": .text(answers),
              "scriptIsArgument": false,
            ]
          ),
          .init(key: "more", value: true),
        ])
      )
      var bytes: [UInt8] = []
      try frame.write(into: &bytes)
      return try OtherProcess.say(
        String(decoding: bytes, as: UTF8.self),
        to: daemon.socket,
        as: account.uid
      )
    }
  }

  @Test func rightPasswordSucceedsAndAWrongOneDoesNot() throws {
    let person = try Person()
    #expect(try person.evaluate("wrong").contains("\"outcome\":\"authenticationFailed\""))
    let success = try person.evaluate(Self.password)
    #expect(success.contains("\"outcome\":\"success\""), "\(success)")
    #expect(success.contains("\"simulated\":false"))
    #expect(success.contains("\"method\":\"pam\""))
  }

  @Test func lockedAccountFails() throws {
    let person = try Person()
    try person.account.change("/usr/sbin/usermod", ["--lock"])
    #expect(
      try person.evaluate(Self.password).contains("\"outcome\":\"authenticationFailed\"")
    )
  }

  @Test func expiredAccountFailsAndSaysWhy() throws {
    let person = try Person()
    try person.account.change("/usr/bin/chage", ["--expiredate", "1"])
    let reply = try person.evaluate(Self.password)
    #expect(reply.contains("\"outcome\":\"authenticationFailed\""), "\(reply)")
    #expect(reply.contains("expired"), "\(reply)")
  }

  @Test func passwordThatMustBeChangedFailsAndSaysWhy() throws {
    let person = try Person()
    try person.account.change("/usr/bin/chage", ["--lastday", "0"])
    let reply = try person.evaluate(Self.password)
    #expect(reply.contains("\"outcome\":\"authenticationFailed\""), "\(reply)")
    #expect(reply.contains("passwd"), "\(reply)")
  }

  @Test func twoUsersTalkAtOnce() throws {
    let people = [try Person(), try Person()]
    let replies = try concurrently(4) { index in
      try people[index % 2].evaluate(index < 2 ? Self.password : "wrong")
    }
    #expect(replies.prefix(2).allSatisfy { $0.contains("\"outcome\":\"success\"") })
    #expect(
      replies.suffix(2).allSatisfy { $0.contains("\"outcome\":\"authenticationFailed\"") },
      "\(replies)"
    )
  }
}
