import LocalAuthUnix

/// A process of its own that sends one frame to a daemon and says what comes back, up to the last
/// reply.
enum OtherProcess {
  private static let scratch = Scratch.ofWholeRun()
  private static let program = Result {
    let path = scratch.file("other")
    try Machine.compile(source, to: path)
    Files.setMode(0o755, of: scratch.path)
    return path
  }

  /// The reply's text, or why there is none.
  static func say(_ frame: String, to socket: String, as uid: UInt32? = nil) throws -> String {
    var command = [try program.get(), socket]
    if let uid { command = ["/usr/bin/setpriv"] + Machine.asOther(command, uid: uid) }
    let report = try RunningProgram.run(command[0], Array(command.dropFirst()), input: frame)
    return report.output
  }

  private static let source = #"""
    #include <errno.h>
    #include <stdio.h>
    #include <string.h>
    #include <sys/socket.h>
    #include <sys/un.h>
    #include <unistd.h>

    int main(int count, char **words) {
      struct sockaddr_un address = {.sun_family = AF_UNIX};
      char frame[65536];
      alarm(60);
      if (count != 2) return 2;
      strncpy(address.sun_path, words[1], sizeof address.sun_path - 1);
      int peer = socket(AF_UNIX, SOCK_STREAM, 0);
      if (connect(peer, (struct sockaddr *)&address, sizeof address) != 0) {
        printf("connect: %s", strerror(errno));
        return 1;
      }
      ssize_t size = read(0, frame, sizeof frame - 1);
      if (size < 0) return 3;
      frame[size++] = 0;
      // A daemon that turns us away may have closed by now; its reply can be read all the same.
      send(peer, frame, size, MSG_NOSIGNAL);
      size = 0;
      while (size < (ssize_t)sizeof frame && read(peer, frame + size, 1) == 1) {
        if (frame[size++] != 0) continue;
        puts(frame);
        if (strstr(frame, "\"continues\":true") == NULL) break;
        size = 0;
      }
      return 0;
    }
    """#
}
