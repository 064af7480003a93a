#pragma once

#include <stdbool.h>
#include <stddef.h>

// Every function here gives an error number negated if it fails, and a descriptor that it gives is one that
// no started program inherits.
// A symbolic link is never followed, and nothing is waited for.

/// Holds on to `name` in `directory`, whatever it is: enough to look at it and to go on from it, and
/// nothing of what is in it.
int la_entry_hold(int directory, const char *_Nonnull name);

/// Opens `name` in `directory` for reading.
int la_entry_read(int directory, const char *_Nonnull name);

/// Renames `name` in `directory`; where it is to be new, fails with EEXIST if `new_name` is there, and with EINVAL or ENOSYS if
/// the file system cannot tell.
int la_entry_rename(int directory, const char *_Nonnull name, const char *_Nonnull new_name,
                    bool is_new);

/// Makes a file of this mode without a name in `directory`, for reading and writing.
int la_unnamed_file(int directory, unsigned mode);

/// Reads an extended attribute of an open file into `size` bytes; returns how many it has.
long la_attribute_read(int file, const char *_Nonnull name, void *_Nullable value, size_t size);
/// Sets an extended attribute of an open file.
int la_attribute_write(int file, const char *_Nonnull name, const void *_Nullable value,
                       size_t size);
/// Removes an extended attribute of an open file.
int la_attribute_remove(int file, const char *_Nonnull name);

/// Has the kernel tell when anybody opens a file for writing, who waits then until the lease ends, 45 seconds at most; no
/// signal tells of it. The file is open for reading, and the error is EAGAIN if somebody has it open for writing.
int la_lease_take(int file);
/// Whether nobody has wanted to open a file for writing since its lease was taken; 1 or 0.
int la_lease_is_whole(int file);
/// Ends a lease.
void la_lease_end(int file);
/// Whether an open file is immutable, or can only be appended to; 1, or 0 also where the file system knows neither.
int la_file_is_immutable(int file);

/// Takes an open file's access list away, if it has one.
int la_access_list_remove(int file);
/// Gives an open file the access list and the user's attributes of another one, and no list where that has none.
int la_attributes_copy(int from, int to);

/// Makes a file in memory, which tools call `name`, for reading and writing.
int la_memory_file(const char *_Nonnull name);
/// Whether the directory at `path` is on a file system in memory; 1, 0 or an error number negated.
int la_directory_in_memory(const char *_Nonnull path);
/// Whether the file at `path` keeps no content, but is one through which the kernel is spoken to; 1, 0 or an error number
/// negated.
int la_file_is_kernels(const char *_Nonnull path);
/// Lets nobody change what is in a file in memory, and started programs inherit it.
int la_memory_file_seal(int file);
