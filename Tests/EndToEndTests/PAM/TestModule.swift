import LocalAuthJSON
import LocalAuthUnix

/// A PAM module that does what its arguments say, and a directory of services that use it.
final class TestModule: Sendable {
  /// Where the services are described.
  let directory: String
  private let scratch = Scratch()
  private let module: String

  init() throws {
    Files.setMode(0o755, of: scratch.path)
    directory = try scratch.makeDirectory("pam.d", mode: 0o755)
    module = scratch.file("pam_test.so")
    try Machine.compile(Self.source, to: module, ["-shared", "-fPIC"])
    Files.setMode(0o755, of: module)
    try describe("permit", "auth required pam_permit.so\naccount required pam_permit.so\n")
    try describe("deny", "auth required pam_deny.so\naccount required pam_permit.so\n")
  }

  /// Describes a service in PAM's own words.
  func describe(_ service: String, _ text: String) throws {
    try scratch.write(text, to: "pam.d/" + service, mode: 0o644)
  }

  /// Describes a service whose modules are ours, with these arguments.
  func describe(_ service: String, auth: String, account: String = "") throws {
    try describe(
      service,
      "auth required \(module) \(auth)\naccount required \(module) \(account)\n"
    )
  }

  /// A file that a module may write to.
  func file(_ name: String) -> String { scratch.file(name) }

  /// The parameters that give a device the passcode of `service`.
  func passcode(of service: String) -> [String: JSONValue] {
    ["pamService": .text(service), "pamDirectory": .text(directory)]
  }

  private static let source = #"""
    #define _DEFAULT_SOURCE
    #define PAM_SM_AUTH
    #define PAM_SM_ACCOUNT
    #include <fcntl.h>
    #include <signal.h>
    #include <stdio.h>
    #include <stdlib.h>
    #include <string.h>
    #include <unistd.h>

    // Of <security/pam_modules.h>, so that the headers need not be there.
    typedef struct pam_handle pam_handle_t;
    struct pam_message { int style; const char *text; };
    struct pam_response { char *text; int code; };
    struct pam_conv {
      int (*ask)(int, const struct pam_message **, struct pam_response **, void *);
      void *data;
    };
    int pam_get_item(const pam_handle_t *handle, int item, const void **value);
    enum { SUCCESS = 0, AUTH_ERR = 7, NEW_TOKEN = 12, EXPIRED = 13, CONV = 5 };
    enum { HIDDEN = 1, SHOWN = 2, WRONG = 3, INFO = 4 };

    static char *ask(pam_handle_t *handle, int style, const char *text) {
      const struct pam_conv *talk;
      struct pam_message message = {style, text};
      const struct pam_message *messages = &message;
      struct pam_response *answer = NULL;
      if (pam_get_item(handle, CONV, (const void **)&talk) != SUCCESS) return NULL;
      if (talk->ask(1, &messages, &answer, talk->data) != SUCCESS || answer == NULL) return NULL;
      return answer->text;
    }

    static int is(const char *answer, const char *wanted) {
      return answer != NULL && strcmp(answer, wanted) == 0;
    }

    static void note(const char *path, const char *text) {
      int file = open(path, O_WRONLY | O_CREAT | O_APPEND, 0600);
      if (write(file, text, strlen(text)) < 0) abort();
      close(file);
    }

    static int act(pam_handle_t *handle, int count, const char **words) {
      for (int index = 0; index < count; index++) {
        const char *word = words[index], *argument = strchr(word, '=');
        if (argument != NULL) argument++;
        if (strcmp(word, "ask-twice") == 0) {
          ask(handle, INFO, "Look at the light");
          char *color = ask(handle, SHOWN, "Color: ");
          if (!is(color, "blue")) return ask(handle, WRONG, "No such color"), AUTH_ERR;
        } else if (strcmp(word, "ask") == 0) {
          if (!is(ask(handle, HIDDEN, "Password: "), "1234")) return AUTH_ERR;
        } else if (strcmp(word, "forget") == 0) {
          // Takes any answer, as a module that keeps nothing of it.
          char *answer = ask(handle, HIDDEN, "Password: ");
          if (answer == NULL) return AUTH_ERR;
          explicit_bzero(answer, strlen(answer));
          free(answer);
        } else if (strcmp(word, "hang") == 0) {
          for (;;) pause();
        } else if (strcmp(word, "crash") == 0) {
          signal(SIGABRT, SIG_DFL);
          abort();
        } else if (strncmp(word, "child=", 6) == 0) {
          // A helper that ignores polite requests, as a module may have one.
          if (fork() == 0) {
            char text[16];
            signal(SIGTERM, SIG_IGN);
            snprintf(text, sizeof text, "%d", getpid());
            note(argument, text);
            for (;;) pause();
          }
        } else if (strncmp(word, "note=", 5) == 0) {
          note(argument, "x");
        } else if (strcmp(word, "kill-daemon") == 0) {
          kill(getppid(), SIGKILL);
          for (;;) pause();
        } else if (strcmp(word, "expired") == 0) {
          return EXPIRED;
        } else if (strcmp(word, "new-token") == 0) {
          return NEW_TOKEN;
        }
      }
      return SUCCESS;
    }

    int pam_sm_authenticate(pam_handle_t *handle, int flags, int count, const char **words) {
      (void)flags;
      return act(handle, count, words);
    }
    int pam_sm_setcred(pam_handle_t *handle, int flags, int count, const char **words) {
      (void)handle, (void)flags, (void)count, (void)words;
      return SUCCESS;
    }
    int pam_sm_acct_mgmt(pam_handle_t *handle, int flags, int count, const char **words) {
      (void)flags;
      return act(handle, count, words);
    }
    """#
}
