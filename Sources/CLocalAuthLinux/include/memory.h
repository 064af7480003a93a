#pragma once
#include <stdbool.h>
#include <stddef.h>

/// Maps zeroed memory for secrets: between two inaccessible pages, left out of core files, empty in
/// a forked child. `size` is a multiple of the page size. `*locked` says whether the kernel agreed to
/// keep it out of swap; a refusal is no failure. NULL with errno when there is no memory at all.
void *_Nullable la_secret_map(size_t size, bool *_Nonnull locked);

/// Unmaps what `la_secret_map` gave, guard pages included. The caller has wiped it.
void la_secret_unmap(void *_Nonnull address, size_t size);

/// Whether two ranges hold equal bytes, in a time that depends on `size` alone.
bool la_equal_constant_time(const void *_Nonnull left, const void *_Nonnull right, size_t size);

/// Writes `byte` to `size` bytes, also where nobody reads them any more.
void la_set(void *_Nonnull address, unsigned char byte, size_t size);

/// Has up to `size` bytes of memory kept that was let go, instead of giving them back to the kernel at once.
void la_keep_memory(int size);
