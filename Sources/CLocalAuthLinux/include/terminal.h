#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <termios.h>

/// Reads the modes of a terminal; -1 with errno when it is none.
int la_terminal_modes(int terminal, struct termios *_Nonnull modes);

/// Makes the terminal give each byte as it is typed, without echo and without flow control. Ctrl-C,
/// Ctrl-Z and Ctrl-\ stay signals. `original` is remembered until `la_terminal_restore`, so that a
/// deadly signal which nobody takes can still put it back.
int la_terminal_make_raw(int terminal, const struct termios *_Nonnull original);

/// Drops what was typed and not read, then puts the modes back. A process in the background leaves
/// the terminal alone: it belongs to somebody else then.
void la_terminal_restore(int terminal, const struct termios *_Nonnull original);

/// What a deadly signal that nobody takes also writes to the terminal whose modes it puts back, such as
/// what gives the ordinary screen back; at most 64 bytes, none for an empty text.
void la_terminal_set_farewell(const char *_Nonnull text);

/// Columns and rows, or 0 and 0 when the terminal does not know.
void la_terminal_size(int terminal, int *_Nonnull columns, int *_Nonnull rows);

/// Turns SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP, SIGCONT and SIGWINCH into bytes of a pipe, and
/// returns the end to read, which stays open for the life of the process. A signal that is ignored
/// stays ignored. -1 with EBUSY when somebody watches already.
///
/// A second deadly signal, while the first waits in the pipe, restores a raw terminal and has its
/// old effect at once: a program that does not read the pipe can still be interrupted.
int la_signals_watch(void);

/// Gives every signal its old effect back.
void la_signals_unwatch(void);

/// The next signal that came, or 0.
int la_signals_next(void);

/// Sends this thread a signal and lets it through, also on a thread that blocks signals, as those of
/// a thread pool do.
void la_signals_send(int number);

/// Stops the process as SIGTSTP does by default, and returns when it goes on.
void la_signals_stop_process(void);

/// Opens a pseudo terminal: the controlling end, and in `name` the path of the terminal's end. -1
/// with errno on failure.
int la_open_pty(char *_Nonnull name, size_t size);
