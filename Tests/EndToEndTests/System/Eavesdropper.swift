import LocalAuthUnix

/// Somebody else's process that listens at a path and writes whatever it is sent to a file.
final class Eavesdropper: Sendable {
  private static let scratch = Scratch.ofWholeRun()
  private static let program = Result {
    let path = scratch.file("eavesdropper")
    try Machine.compile(source, to: path)
    Files.setMode(0o755, of: scratch.path)
    return path
  }

  private let process: RunningProgram

  /// Starts it as user `uid` and waits until it listens.
  init(at path: String, as uid: UInt32, writingTo file: String) throws {
    let readiness = BytePipe()
    process = try RunningProgram(
      SpawnRequest(
        executable: "/usr/bin/setpriv",
        arguments: Machine.asOther([try Self.program.get(), path, file], uid: uid),
        environment: ["PATH=/usr/bin:/bin"],
        descriptors: [.null, .null, .null, .duplicate(of: readiness.writingEnd)]
      )
    )
    readiness.closeWriter()
    guard readiness.read(within: .seconds(60)) else {
      throw Machine.Missing(what: "a listener at \(path)")
    }
  }

  /// Ends it; by then everything that it was sent is in the file.
  func end() throws { try process.end() }

  private static let source = #"""
    #include <fcntl.h>
    #include <string.h>
    #include <sys/socket.h>
    #include <sys/stat.h>
    #include <sys/un.h>
    #include <unistd.h>

    int main(int count, char **words) {
      struct sockaddr_un address = {.sun_family = AF_UNIX};
      char bytes[65536];
      if (count != 3) return 2;
      strncpy(address.sun_path, words[1], sizeof address.sun_path - 1);
      int listener = socket(AF_UNIX, SOCK_STREAM, 0), file = open(words[2], O_WRONLY | O_APPEND);
      if (bind(listener, (struct sockaddr *)&address, sizeof address) != 0) return 1;
      if (chmod(words[1], 0777) != 0 || listen(listener, 8) != 0) return 1;
      if (write(3, "", 1) != 1) return 1;
      for (;;) {
        int peer = accept(listener, 0, 0);
        ssize_t size;
        while ((size = read(peer, bytes, sizeof bytes)) > 0)
          if (write(file, bytes, size) != size) return 1;
        close(peer);
      }
    }
    """#
}
