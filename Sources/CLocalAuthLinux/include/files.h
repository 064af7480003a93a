#pragma once

// Every function here gives a descriptor that no started program inherits, or an error number negated.
// A symbolic link is never followed, and nothing is waited for.

/// Holds on to `name` in `directory`, whatever it is: enough to look at it and to go on from it, and
/// nothing of what is in it.
int la_entry_hold(int directory, const char *_Nonnull name);

/// Opens `name` in `directory` for reading.
int la_entry_read(int directory, const char *_Nonnull name);

/// Makes a file of this mode without a name in `directory`, for reading and writing.
int la_unnamed_file(int directory, unsigned mode);

/// Makes a file in memory, which tools call `name`, for reading and writing.
int la_memory_file(const char *_Nonnull name);
