import LocalAuthJSON
import LocalAuthUnix

/// An agent of a process of its own, in a session of its own, that writes down what it is told or does
/// not even read it.
final class AgentSpy {
  let program: RunningProgram
  private let output: Captured
  /// A byte for its registration, and for whatever it was told since.
  private let said = BytePipe()
  private static let scratch = Scratch.ofWholeRun()
  private static let compiled = Result {
    let path = scratch.file("spy")
    try Machine.compile(source, to: path)
    Files.setMode(0o755, of: scratch.path)
    return path
  }

  /// Registers it; it is registered when this returns.
  init(_ socket: String, in scratch: Scratch, as uid: UInt32? = nil, reads: Bool = true) throws {
    output = try Captured()
    var command = [try Self.compiled.get(), socket, reads ? "read" : "ignore"]
    if let uid { command = ["/usr/bin/setpriv"] + Machine.asOther(command, uid: uid) }
    program = try RunningProgram(
      SpawnRequest(
        executable: command[0],
        arguments: Array(command.dropFirst()),
        environment: ["PATH=/usr/bin:/bin"],
        descriptors: [
          .null, .duplicate(of: output.descriptor), .null,
          .duplicate(of: said.writingEnd),
        ]
      )
    )
    said.closeWriter()
    guard said.read(within: .seconds(60)) else { throw Machine.Missing(what: "an agent") }
  }

  /// What it was told so far.
  var told: String { output.text }

  /// The nonce of its first prompt, once it has one.
  func nonce() throws -> String {
    try wait(for: "\"nonce\":\"")
    guard let start = told.firstRange(of: "\"nonce\":\"")?.upperBound else { return "" }
    return String(told[start...].prefix(32))
  }

  /// Waits until it was told this.
  func wait(for text: String) throws {
    while !told.contains(text) {
      guard said.read(within: .seconds(60)) else {
        throw Machine.Missing(what: "\(text) in \(told)")
      }
    }
  }

  /// The replies that it was sent after the first.
  var replies: [WireClient.Reply] {
    get throws {
      try told.split(separator: "\0").map { frame in
        let value = try JSONValue(parsing: Array(frame.utf8).span)
        return WireClient.Reply(
          error: value["error"]?.string,
          parameters: value["parameters"] ?? [:],
          continues: value["continues"]?.boolean ?? false
        )
      }
    }
  }

  private static let source = #"""
    #include <stdio.h>
    #include <string.h>
    #include <sys/socket.h>
    #include <sys/un.h>
    #include <unistd.h>

    static const char call[] = "{\"method\":\"io.localauth.Agents.Register\",\"more\":true}";

    int main(int count, char **words) {
      struct sockaddr_un address = {.sun_family = AF_UNIX};
      char bytes[65536];
      ssize_t size;
      if (count != 3) return 2;
      strncpy(address.sun_path, words[1], sizeof address.sun_path - 1);
      int peer = socket(AF_UNIX, SOCK_STREAM, 0);
      if (connect(peer, (struct sockaddr *)&address, sizeof address) != 0) return 1;
      if (send(peer, call, sizeof call, MSG_NOSIGNAL) != sizeof call) return 1;
      if (read(peer, bytes, sizeof bytes) <= 0 || strstr(bytes, "registered") == NULL) return 1;
      if (write(3, "", 1) != 1) return 1;
      if (strcmp(words[2], "ignore") == 0) for (;;) pause();
      while ((size = read(peer, bytes, sizeof bytes)) > 0)
        if (write(1, bytes, size) != size || write(3, "", 1) != 1) return 1;
      return 0;
    }
    """#
}
