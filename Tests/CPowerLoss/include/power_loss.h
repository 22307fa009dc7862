#pragma once

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// The folders whose power can fail: a layer between SQLite and its files, for this whole process.
/// All functions may be called from any thread.

/// Watches the SQLite files of a folder from now on.
void power_loss_watch(const char *folder);

/// No longer.
void power_loss_forget(const char *folder);

/// How many writes, syncs and truncations there have been in the folder.
int64_t power_loss_count(const char *folder);

/// The operation of this number, from 0 on, fails with a code of SQLite; all after it too if
/// `lasts`, as when the power is gone.
void power_loss_fail(const char *folder, int64_t number, int code, int lasts);

/// Once nothing has the files open: of what was written after a file's last sync, sectors chosen by
/// the seed are as they were before, and the file may be as short.
void power_loss_strike(const char *folder, uint64_t seed);

#ifdef __cplusplus
}
#endif
