#pragma once

#include <sys/stat.h>
#include <sys/types.h>

// Files that are held by a descriptor that opens nothing. Every function gives an error number negated if it
// fails.

/// As nanoseconds: the time stays as it is.
enum { LA_TIME_KEPT = (1 << 30) - 2 };

/// For opening a file: reading it is no access of which the time is kept.
enum { LA_OPEN_UNSEEN = 01000000 };

/// Holds on to the open file `file` once more.
int la_held_again(int file);
/// What is said of the file itself.
int la_held_status(int file, struct stat *_Nonnull status);
/// Gives the file an owner and a group; -1 stands for the one that it has.
int la_held_set_owner(int file, uid_t user, gid_t group);
/// Sets when the file was read and changed.
int la_held_set_times(int file, struct timespec accessed, struct timespec modified);
/// renameat2(2).
int la_held_rename(int directory, const char *_Nonnull name, int new_directory,
                   const char *_Nonnull new_name, unsigned flags);
/// Marks a directory at a place, for as long as it is held open.
int la_held_mark(int directory, int place);
/// Whether somebody else has marked it there.
int la_held_is_marked(int directory, int place);
