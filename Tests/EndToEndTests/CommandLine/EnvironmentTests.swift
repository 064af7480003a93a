import LocalAuthJSON
import LocalAuthUnix
import Testing

/// A simulated device that only the environment chose opens nothing.
@Suite struct EnvironmentTests {
  private let scratch = Scratch()
  private let daemon: DaemonProcess
  private let client: WireClient

  init() throws {
    daemon = try DaemonProcess(home: scratch.file("home"))
    client = try daemon.connect()
    try client.create("sim", passcode: "1234")
  }

  private static let evaluate = [
    "--json", "evaluate", "--policy", "device-owner", "--reason", "a test",
  ]

  @Test(arguments: [
    ["--script", "match"], ["--script", "passcode:1234"], [], ["--non-interactive"],
  ])
  func deviceOfTheEnvironmentNeverExitsZero(_ more: [String]) throws {
    // The script that is queued would answer, too.
    _ = try client.call(
      Interface.sensor + "Script",
      ["device": "sim", "events": "match", "times": 0]
    )
    for place in [["LOCALAUTH_HOME=\(daemon.home)"], ["LOCALAUTH_SOCKET=\(daemon.socket)"]] {
      for permission in [[], ["LOCALAUTH_ALLOW_SIMULATED=0"], ["LOCALAUTH_ALLOW_SIMULATED=yes"]] {
        let run = try Authctl.run(
          Self.evaluate + more,
          environment: place + permission + ["LOCALAUTH_DEVICE=sim"]
        )
        #expect(run.status == 77, "\(place) \(run.output)")
        #expect(try run.json["outcome"]?.string == "simulatedNotAllowed")
        #expect(try run.json["simulated"]?.boolean == true)
      }
    }
    #expect(try client.status("sim").attemptsLeft == 3)
  }

  @Test func preflightSaysTheSame() throws {
    let run = try Authctl.run(
      ["--home", daemon.home, "--json", "can-evaluate", "--policy", "biometrics"],
      environment: ["LOCALAUTH_DEVICE=sim"]
    )
    #expect(run.status == 77)
  }

  @Test func nothingIsErasedThatTheCommandLineDoesNotName() throws {
    for environment in [["LOCALAUTH_DEVICE=sim", "LOCALAUTH_ALLOW_SIMULATED=1"], []] {
      let run = try Authctl.run(
        ["--home", daemon.home, "device", "erase"],
        environment: environment
      )
      #expect(run.status == 2 && run.errors.contains("--device NAME"), "\(run.errors)")
    }
    #expect(try client.evaluate(on: "sim", script: "match").outcome == "success")
  }

  @Test func environmentThatSaysSoMaySucceed() throws {
    let run = try Authctl.run(
      Self.evaluate + ["--script", "match"],
      environment: [
        "LOCALAUTH_HOME=\(daemon.home)", "LOCALAUTH_DEVICE=sim", "LOCALAUTH_ALLOW_SIMULATED=1",
      ]
    )
    #expect(run.status == 0)
    #expect(try run.json["simulated"]?.boolean == true)
  }

  @Test func argumentWinsOverTheEnvironment() throws {
    let run = try Authctl.run(
      ["--home", daemon.home, "--device", "sim"] + Self.evaluate + ["--script", "match"],
      environment: ["LOCALAUTH_HOME=/dev/null", "LOCALAUTH_DEVICE=nobody"]
    )
    #expect(run.status == 0, "\(run.errors)")
  }

  @Test(
    .enabled(
      if: Machine.canRunAsOther && Machine.compiler != nil,
      "needs root, to be another user, and a C compiler"
    )
  )
  func foreignServerIsRefusedBeforeAByteIsSent() throws {
    Files.setMode(0o755, of: scratch.path)
    let path = scratch.file("foreign")
    let server = try ForeignServer(at: path)
    for words in [
      ["status"], Self.evaluate.dropFirst() + ["--script", "match"],
      ["passcode", "set", "--stdin"],
    ] {
      let run = try Authctl.run(
        ["--socket", path, "--json", "--device", "sim"] + words,
        input: "1234\n1234\n"
      )
      #expect(run.status == 69, "\(words): \(run.output)")
      #expect(run.errors.contains("\(Machine.otherUID)"), "\(run.errors)")
    }
    #expect(try server.bytesReceived(afterCalls: 3) == 0)
  }
}

/// A server of another user on a socket, which counts what it is sent.
private final class ForeignServer {
  private let scratch = Scratch()
  private let program: RunningProgram
  private let output: Captured

  init(at path: String) throws {
    let executable = scratch.file("server")
    try Machine.compile(Self.source, to: executable)
    let readiness = BytePipe()
    output = try Captured()
    program = try RunningProgram(
      SpawnRequest(
        executable: executable,
        arguments: [path, "\(Machine.otherUID)"],
        descriptors: [
          .null, .duplicate(of: output.descriptor), .null,
          .duplicate(of: readiness.writingEnd),
        ]
      )
    )
    readiness.closeWriter()
    guard readiness.read(within: .seconds(60)) else { throw Machine.Missing(what: "a server") }
  }

  /// Bytes of so many connections, each read to its end.
  func bytesReceived(afterCalls calls: Int) throws -> Int? {
    #expect(calls == 3)
    #expect(try program.waitForExit() == .status(0))
    return Int(output.text)
  }

  private static let source = #"""
    #include <stdio.h>
    #include <stdlib.h>
    #include <string.h>
    #include <sys/socket.h>
    #include <sys/stat.h>
    #include <sys/un.h>
    #include <unistd.h>

    int main(int count, char **words) {
      struct sockaddr_un address = {.sun_family = AF_UNIX};
      char bytes[4096];
      long total = 0;
      alarm(60);
      if (count != 3) return 2;
      strncpy(address.sun_path, words[1], sizeof address.sun_path - 1);
      int server = socket(AF_UNIX, SOCK_STREAM, 0);
      if (bind(server, (struct sockaddr *)&address, sizeof address) < 0) return 3;
      chmod(words[1], 0666);
      if (setgid(atoi(words[2])) < 0 || setuid(atoi(words[2])) < 0) return 4;
      // The kernel notes who listens.
      if (listen(server, 8) < 0 || write(3, "", 1) != 1) return 5;
      for (int call = 0; call < 3; call++) {
        int peer = accept(server, NULL, NULL);
        ssize_t got;
        while ((got = read(peer, bytes, sizeof bytes)) > 0) total += got;
        close(peer);
      }
      printf("%ld", total);
      return 0;
    }
    """#
}
