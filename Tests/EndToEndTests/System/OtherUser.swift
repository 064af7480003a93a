import Glibc
import LocalAuthUnix

/// A process of another user that has connections to a service, and lends them to the test.
///
/// The kernel takes who connects from the process that does; from then on every byte passes through it.
final class OtherUser: Sendable {
  private static let scratch = Scratch.ofWholeRun()
  private static let program = Result {
    let path = scratch.file("lender")
    try Machine.compile(source, to: path)
    Files.setMode(0o755, of: scratch.path)
    return path
  }

  /// The connections, each as good as one of its own.
  let clients: [WireClient]
  let process: RunningProgram
  var client: WireClient { clients[0] }

  init(_ uid: UInt32, connectedTo socket: String, connections: Int = 1) throws {
    var ours: [Int32] = []
    var theirs: [Int32] = []
    defer { for end in theirs { close(end) } }
    for _ in 0..<connections {
      var ends: [Int32] = [-1, -1]
      let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
      // SAFETY: the array has room for both descriptors.
      guard unsafe socketpair(AF_UNIX, kind, 0, &ends) == 0 else {
        throw SystemError("socketpair", code: errno)
      }
      ours.append(ends[0])
      theirs.append(ends[1])
    }
    process = try RunningProgram(
      SpawnRequest(
        executable: "/usr/bin/setpriv",
        arguments: Machine.asOther(
          [try Self.program.get(), socket, "\(connections)"],
          uid: uid
        ),
        environment: ["PATH=/usr/bin:/bin"],
        descriptors: [.null, .null, .null] + theirs.map { .duplicate(of: $0) }
      )
    )
    let process = process
    clients = ours.map { WireClient(descriptor: $0, of: process) }
  }

  private static let source = #"""
    #include <errno.h>
    #include <poll.h>
    #include <stdlib.h>
    #include <string.h>
    #include <sys/socket.h>
    #include <sys/un.h>
    #include <unistd.h>

    enum { MOST = 16 };

    /* One end of a connection, and what waits until that end takes it. */
    struct end { int fd; size_t first, count; char waiting[65536]; };

    /* Hands over what waits, without ever blocking: one peer that does not read must not stop the
       connections of the others. What a peer that is gone does not take is dropped. */
    static void hand_over(struct end *to) {
      ssize_t sent = send(to->fd, to->waiting + to->first, to->count, MSG_NOSIGNAL | MSG_DONTWAIT);
      if (sent < 0) sent = errno == EAGAIN ? 0 : to->count;
      to->first += sent;
      to->count -= sent;
    }

    /* Passes on what there is; 0 at its end. Who turned us away may have closed before we said a
       word; what it said can be read all the same. */
    static int pass(struct end *from, struct end *to) {
      ssize_t count = read(from->fd, to->waiting, sizeof to->waiting);
      if (count <= 0) return 0;
      to->first = 0;
      to->count = count;
      hand_over(to);
      return 1;
    }

    int main(int count, char **words) {
      static struct end ends[2 * MOST];
      struct sockaddr_un address = {.sun_family = AF_UNIX};
      struct pollfd polled[2 * MOST];
      int connections = count == 3 ? atoi(words[2]) : 0;
      if (connections < 1 || connections > MOST) return 2;
      strncpy(address.sun_path, words[1], sizeof address.sun_path - 1);
      for (int index = 0; index < connections; index++) {
        int peer = socket(AF_UNIX, SOCK_STREAM, 0);
        if (connect(peer, (struct sockaddr *)&address, sizeof address) != 0) return 1;
        ends[2 * index].fd = 3 + index;
        ends[2 * index + 1].fd = peer;
      }
      for (;;) {
        for (int index = 0; index < 2 * connections; index++) {
          struct end *end = &ends[index], *other = &ends[index ^ 1];
          short events = (other->count == 0 ? POLLIN : 0) | (end->count > 0 ? POLLOUT : 0);
          /* An end from which nothing is wanted is left out: its hang-up would wake us for ever. */
          polled[index] = (struct pollfd){.fd = events ? end->fd : -1, .events = events};
        }
        if (poll(polled, 2 * connections, -1) < 0) return 1;
        for (int index = 0; index < 2 * connections; index++) {
          struct end *end = &ends[index], *other = &ends[index ^ 1];
          short ready = polled[index].fd < 0 || end->fd < 0 ? 0 : polled[index].revents;
          if (ready & POLLOUT) hand_over(end);
          if (!(ready & ~POLLOUT) || other->count > 0 || pass(end, other)) continue;
          close(end->fd);
          close(other->fd);
          end->fd = other->fd = -1;
          end->count = other->count = 0;
        }
      }
    }
    """#
}
