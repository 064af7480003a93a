import LocalAuthUnix

/// A process that asks, ends and leaves its connection behind, and another with the same number that
/// answers.
enum ReusedNumber {
  /// What the other process was answered.
  struct Answer {
    /// Whether both really had one number.
    var isSameNumber: Bool
    var reply: String
    /// What the connection of the first process brought after that.
    var stream: String
  }

  /// Sends `evaluate` from the first process, and `answer` with the prompt's nonce in place of `NONCE`
  /// from the second; nil where the kernel lets nobody choose a number.
  static func play(evaluate: String, answer: String, to socket: String) throws -> Answer? {
    let scratch = Scratch()
    let program = scratch.file("reused")
    try Machine.compile(source, to: program)
    let report = try RunningProgram.run(program, [socket, evaluate, answer])
    guard report.status != 77 else { return nil }
    let lines = report.output.split(separator: "\n", omittingEmptySubsequences: false)
    guard report.status == 0, lines.count > 2 else {
      throw Machine.Missing(what: "a second process: \(report.exit) \(report.output)")
    }
    return Answer(
      isSameNumber: lines[0] == "same",
      reply: String(lines[1]),
      stream: String(lines[2])
    )
  }

  private static let source = #"""
    #define _GNU_SOURCE
    #include <errno.h>
    #include <linux/sched.h>
    #include <poll.h>
    #include <signal.h>
    #include <stdint.h>
    #include <stdio.h>
    #include <stdlib.h>
    #include <string.h>
    #include <sys/socket.h>
    #include <sys/syscall.h>
    #include <sys/un.h>
    #include <sys/wait.h>
    #include <unistd.h>

    static char frame[65536];

    static int dial(const char *path) {
      struct sockaddr_un address = {.sun_family = AF_UNIX};
      strncpy(address.sun_path, path, sizeof address.sun_path - 1);
      int peer = socket(AF_UNIX, SOCK_STREAM, 0);
      if (connect(peer, (struct sockaddr *)&address, sizeof address) != 0) exit(2);
      return peer;
    }

    static void say(int peer, const char *text) {
      if (write(peer, text, strlen(text) + 1) < 0) exit(3);
    }

    static void hear(int peer) {
      size_t size = 0;
      do {
        if (read(peer, frame + size, 1) != 1) exit(4);
      } while (frame[size++] != 0);
    }

    // The first process connects and asks, and hands its connection to its parent.
    static void ask(const char *path, const char *call, int parent) {
      int peer = dial(path);
      say(peer, call);
      char byte = 0, room[CMSG_SPACE(sizeof peer)] = {0};
      struct iovec part = {&byte, 1};
      struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = room,
                               .msg_controllen = sizeof room};
      struct cmsghdr *header = CMSG_FIRSTHDR(&message);
      header->cmsg_level = SOL_SOCKET;
      header->cmsg_type = SCM_RIGHTS;
      header->cmsg_len = CMSG_LEN(sizeof peer);
      memcpy(CMSG_DATA(header), &peer, sizeof peer);
      hear(peer);
      while (strstr(frame, "\"nonce\"") == NULL) hear(peer);
      if (sendmsg(parent, &message, 0) != 1) exit(5);
      if (write(parent, frame, sizeof frame) != sizeof frame) exit(6);
      exit(0);
    }

    static int take(int child) {
      int peer = -1;
      char byte, room[CMSG_SPACE(sizeof peer)];
      struct iovec part = {&byte, 1};
      struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = room,
                               .msg_controllen = sizeof room};
      if (recvmsg(child, &message, 0) != 1 || CMSG_FIRSTHDR(&message) == NULL) exit(7);
      memcpy(&peer, CMSG_DATA(CMSG_FIRSTHDR(&message)), sizeof peer);
      for (size_t got = 0; got < sizeof frame;) {
        ssize_t more = read(child, frame + got, sizeof frame - got);
        if (more <= 0) exit(8);
        got += more;
      }
      return peer;
    }

    int main(int count, char **words) {
      int ends[2], status;
      alarm(60);
      if (count != 4 || socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0) return 2;
      pid_t first = fork();
      if (first == 0) ask(words[1], words[2], ends[1]);
      close(ends[1]);
      int stream = take(ends[0]);
      if (waitpid(first, &status, 0) != first || status != 0) return 9;

      char nonce[33] = {0}, call[4096];
      char *place = strstr(frame, "\"nonce\":\"");
      if (place == NULL) return 10;
      memcpy(nonce, place + 9, 32);
      char *gap = strstr(words[3], "NONCE");
      if (gap == NULL) return 11;
      snprintf(call, sizeof call, "%.*s%s%s", (int)(gap - words[3]), words[3], nonce, gap + 5);

      // The number is free: its process was waited for.
      struct clone_args request = {.exit_signal = SIGCHLD, .set_tid = (uint64_t)(uintptr_t)&first,
                                   .set_tid_size = 1};
      pid_t second = syscall(SYS_clone3, &request, sizeof request);
      if (second < 0) return 77;
      if (second == 0) {
        int peer = dial(words[1]);
        say(peer, call);
        hear(peer);
        printf("%s\n%s\n", getpid() == first ? "same" : "other", frame);
        exit(0);
      }
      if (waitpid(second, &status, 0) != second || status != 0) return 12;
      // Whatever the answer did has been said on the stream by now, or nothing was.
      struct pollfd entry = {.fd = stream, .events = POLLIN};
      memset(frame, 0, sizeof frame);
      if (poll(&entry, 1, 0) == 1) hear(stream);
      printf("%s\n", frame);
      return 0;
    }
    """#
}
