import Glibc
import LocalAuthUnix
import Testing

/// A connection that is handed to another session takes no grant with it.
@Suite(.enabled(if: Machine.compiler != nil, "needs a C compiler"))
struct HandedConnectionTests {
  private static let approving = #"""
    {"method":"io.localauth.Authentication.Evaluate","parameters":{"policy":"biometrics",\#
    "reason":"a test","device":"sim","allowSimulated":true,"maxAgeSeconds":300,"script":"match"},"more":true}
    """#
  private static let asking = #"""
    {"method":"io.localauth.Authentication.Evaluate","parameters":{"policy":"biometrics",\#
    "reason":"a test","device":"sim","allowSimulated":true,"maxAgeSeconds":300,\#
    "interactive":false}}
    """#

  private let scratch = Scratch()
  private let daemon: DaemonProcess
  private let program: String

  init() throws {
    program = scratch.file("client")
    try Machine.compile(Self.source, to: program)
    daemon = try DaemonProcess(home: scratch.file("home"))
    try daemon.connect().create("sim")
  }

  /// What the receiver of the connection hears; it runs in a session of its own without a terminal.
  private func answer(_ mode: String, over descriptor: Int32) throws -> String {
    let output = try Captured()
    let receiver = try RunningProgram(
      SpawnRequest(
        executable: program,
        arguments: [mode, daemon.socket, Self.asking],
        environment: [],
        descriptors: [
          .null, .duplicate(of: output.descriptor), .null, .duplicate(of: descriptor),
        ]
      )
    )
    #expect(try receiver.waitForExit() == .status(0))
    return output.text
  }

  /// A session on a terminal in which somebody approves; then it runs `mode`, which has the given
  /// descriptor, and at last asks itself.
  private func session(_ mode: String, _ descriptor: Int32) throws -> TerminalProgram {
    let script = #"""
      "$0" ask "$1" "$2"; echo "<approved>"
      "$0" \#(mode) "$1" "$3"; echo "<handed>"
      "$0" ask "$1" "$3"; echo "<asked>"
      """#
    let session = try TerminalProgram(
      ["/bin/sh", "-c", script, program, daemon.socket, Self.approving, Self.asking],
      descriptors: [.duplicate(of: descriptor)]
    )
    try session.wait(for: "<approved>")
    #expect(session.screen.contains(#""outcome":"success""#), "\(session.screen)")
    return session
  }

  @Test(arguments: ["hand", "half"])
  func anotherSessionGetsNothingOverAHandedConnection(_ mode: String) throws {
    var ends: [Int32] = [-1, -1]
    let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    // SAFETY: the array has room for both descriptors.
    try #require(unsafe socketpair(AF_UNIX, kind, 0, &ends) == 0)
    let mine = FileDescriptor(owning: ends[0])
    let session = try {
      let theirs = FileDescriptor(owning: ends[1])
      return try self.session(mode, theirs.rawValue)
    }()
    let reply = try answer(mode == "hand" ? "use" : "use-rest", over: mine.rawValue)
    #expect(reply.contains(#""outcome":"notInteractive""#), "\(reply)")
    #expect(!reply.contains("success"))
    mine.shutDown()
    try session.wait(for: "<asked>")
    let asked = session.screen.split(separator: "<handed>").last ?? ""
    #expect(asked.contains(#""outcome":"success""#), "the grant is still there: \(session.screen)")
    _ = try session.waitForExit()
  }

  private static let source = #"""
    #include <stdio.h>
    #include <stdlib.h>
    #include <string.h>
    #include <sys/socket.h>
    #include <sys/un.h>
    #include <unistd.h>

    enum { OTHER = 3 };

    static int connected(const char *path) {
      struct sockaddr_un address = {.sun_family = AF_UNIX};
      int peer = socket(AF_UNIX, SOCK_STREAM, 0);
      strncpy(address.sun_path, path, sizeof address.sun_path - 1);
      if (connect(peer, (struct sockaddr *)&address, sizeof address) != 0) exit(2);
      return peer;
    }

    static int ask(int peer, const char *text, size_t from, size_t count) {
      char reply[65536];
      size_t used;
      if (send(peer, text + from, count - from, MSG_NOSIGNAL) != (ssize_t)(count - from)) return 3;
      do {
        used = 0;
        while (used < sizeof reply && read(peer, reply + used, 1) == 1 && reply[used] != 0) used++;
        if (used == 0 || used == sizeof reply) return 8;
        puts(reply);
      } while (strstr(reply, "\"continues\":true") != NULL);
      return 0;
    }

    int main(int count, char **words) {
      char byte = 0, room[CMSG_SPACE(sizeof(int))] = {0};
      struct iovec part = {&byte, 1};
      struct msghdr message = {
          .msg_iov = &part, .msg_iovlen = 1, .msg_control = room, .msg_controllen = sizeof room};
      if (count != 4) return 1;
      const char *mode = words[1], *text = words[3];
      size_t size = strlen(text) + 1, half = size / 2;
      if (strcmp(mode, "ask") == 0) return ask(connected(words[2]), text, 0, size);
      if (strncmp(mode, "use", 3) == 0) {
        int peer;
        if (recvmsg(OTHER, &message, 0) != 1) return 4;
        memcpy(&peer, CMSG_DATA(CMSG_FIRSTHDR(&message)), sizeof peer);
        return ask(peer, text, strcmp(mode, "use-rest") == 0 ? half : 0, size);
      }
      int peer = connected(words[2]);
      if (strcmp(mode, "half") == 0 && send(peer, text, half, 0) != (ssize_t)half) return 5;
      struct cmsghdr *header = CMSG_FIRSTHDR(&message);
      header->cmsg_level = SOL_SOCKET;
      header->cmsg_type = SCM_RIGHTS;
      header->cmsg_len = CMSG_LEN(sizeof peer);
      memcpy(CMSG_DATA(header), &peer, sizeof peer);
      if (sendmsg(OTHER, &message, 0) != 1) return 6;
      /* It lives until the other one has asked. */
      return read(OTHER, &byte, 1) == 0 ? 0 : 7;
    }
    """#
}
