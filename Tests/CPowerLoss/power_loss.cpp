#include "power_loss.h"

#include <sqlite3.h>

#include <cstring>
#include <map>
#include <memory>
#include <mutex>
#include <new>
#include <random>
#include <string>
#include <vector>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace {

constexpr int64_t sector_size = 512;
using Sector = std::vector<unsigned char>;

/// What a file was at its last sync, where that differs from what it is.
struct Unsynced {
  std::map<int64_t, Sector> sectors;
  /// Its length then; -1 until something is written.
  int64_t length = -1;
};

struct Folder {
  int64_t operations = 0;
  int64_t failing = -1;
  int code = SQLITE_OK;
  bool lasts = false;
  std::map<std::string, Unsynced> files;
};

std::mutex lock;
std::map<std::string, std::shared_ptr<Folder>> folders;
sqlite3_vfs *below;

std::shared_ptr<Folder> folder_of(const char *path) {
  std::string name = path == nullptr ? "" : path;
  auto found = folders.find(name.substr(0, name.rfind('/')));
  return found == folders.end() ? nullptr : found->second;
}

/// SQLite's file: ours, with the one below it right behind.
struct File {
  sqlite3_file base;
  std::shared_ptr<Folder> *folder;
  std::string *path;

  sqlite3_file *real() { return reinterpret_cast<sqlite3_file *>(this + 1); }
};

File *ours(sqlite3_file *file) { return reinterpret_cast<File *>(file); }
sqlite3_file *real(sqlite3_file *file) { return ours(file)->real(); }

/// Counts an operation; the code that it is to fail with.
int begin(File *file) {
  Folder &folder = **file->folder;
  int64_t number = folder.operations++;
  bool fails = folder.failing >= 0 &&
               (folder.lasts ? number >= folder.failing : number == folder.failing);
  return fails ? folder.code : SQLITE_OK;
}

void keep_length(File *file, Unsynced &unsynced) {
  if (unsynced.length >= 0) return;
  sqlite3_int64 length = 0;
  file->real()->pMethods->xFileSize(file->real(), &length);
  unsynced.length = length;
}

/// Keeps what the sectors of a range hold, unless they have been written since the last sync.
void keep(File *file, int64_t offset, int64_t count) {
  Unsynced &unsynced = (*file->folder)->files[*file->path];
  keep_length(file, unsynced);
  for (int64_t index = offset / sector_size; index * sector_size < offset + count; index++) {
    if (unsynced.sectors.count(index) > 0 || index * sector_size >= unsynced.length) continue;
    Sector sector(sector_size);
    file->real()->pMethods->xRead(file->real(), sector.data(), sector_size, index * sector_size);
    unsynced.sectors[index] = sector;
  }
}

int close(sqlite3_file *file) {
  int status = real(file)->pMethods->xClose(real(file));
  delete ours(file)->folder;
  delete ours(file)->path;
  return status;
}

int read(sqlite3_file *file, void *bytes, int count, sqlite3_int64 offset) {
  return real(file)->pMethods->xRead(real(file), bytes, count, offset);
}

int write(sqlite3_file *file, const void *bytes, int count, sqlite3_int64 offset) {
  std::lock_guard guard(lock);
  if (int code = begin(ours(file)); code != SQLITE_OK) {
    // A write that fails may have been carried out in part.
    int some = count / 2 / sector_size * sector_size;
    if (!(*ours(file)->folder)->lasts && some > 0) {
      keep(ours(file), offset, some);
      real(file)->pMethods->xWrite(real(file), bytes, some, offset);
    }
    return code;
  }
  keep(ours(file), offset, count);
  return real(file)->pMethods->xWrite(real(file), bytes, count, offset);
}

int truncate(sqlite3_file *file, sqlite3_int64 length) {
  std::lock_guard guard(lock);
  if (int code = begin(ours(file)); code != SQLITE_OK) return code;
  // Taken as durable at once, which is more than the kernel promises.
  Unsynced &unsynced = (*ours(file)->folder)->files[*ours(file)->path];
  unsynced.sectors.erase(unsynced.sectors.lower_bound(length / sector_size),
                         unsynced.sectors.end());
  if (unsynced.length > length) unsynced.length = length;
  return real(file)->pMethods->xTruncate(real(file), length);
}

int sync(sqlite3_file *file, int) {
  std::lock_guard guard(lock);
  if (int code = begin(ours(file)); code != SQLITE_OK) return code;
  // What the disk is asked for costs time, and no power will really fail.
  (*ours(file)->folder)->files.erase(*ours(file)->path);
  return SQLITE_OK;
}

int file_size(sqlite3_file *file, sqlite3_int64 *size) {
  return real(file)->pMethods->xFileSize(real(file), size);
}
int take_lock(sqlite3_file *file, int level) {
  return real(file)->pMethods->xLock(real(file), level);
}
int give_lock(sqlite3_file *file, int level) {
  return real(file)->pMethods->xUnlock(real(file), level);
}
int is_reserved(sqlite3_file *file, int *result) {
  return real(file)->pMethods->xCheckReservedLock(real(file), result);
}
int control(sqlite3_file *file, int operation, void *argument) {
  return real(file)->pMethods->xFileControl(real(file), operation, argument);
}
int smallest_write(sqlite3_file *file) { return real(file)->pMethods->xSectorSize(real(file)); }
int traits(sqlite3_file *file) {
  // As of a disk that promises nothing.
  return real(file)->pMethods->xDeviceCharacteristics(real(file)) &
         ~(SQLITE_IOCAP_POWERSAFE_OVERWRITE | SQLITE_IOCAP_SAFE_APPEND | SQLITE_IOCAP_SEQUENTIAL);
}
int map_shared(sqlite3_file *file, int page, int size, int extends, void volatile **memory) {
  return real(file)->pMethods->xShmMap(real(file), page, size, extends, memory);
}
int lock_shared(sqlite3_file *file, int offset, int count, int flags) {
  return real(file)->pMethods->xShmLock(real(file), offset, count, flags);
}
void barrier(sqlite3_file *file) { real(file)->pMethods->xShmBarrier(real(file)); }
int unmap_shared(sqlite3_file *file, int removes) {
  return real(file)->pMethods->xShmUnmap(real(file), removes);
}

const sqlite3_io_methods methods = {
    2,           close,       read,        write,         truncate, sync,
    file_size,   take_lock,   give_lock,   is_reserved,   control,  smallest_write,
    traits,      map_shared,  lock_shared, barrier,       unmap_shared, nullptr,
    nullptr,
};

int open(sqlite3_vfs *, const char *path, sqlite3_file *file, int flags, int *flags_out) {
  std::lock_guard guard(lock);
  auto folder = folder_of(path);
  // Somebody else's is opened as if we weren't here.
  if (folder == nullptr) return below->xOpen(below, path, file, flags, flags_out);
  auto *mine = new (file) File{{nullptr}, nullptr, nullptr};
  int status = below->xOpen(below, path, mine->real(), flags, flags_out);
  if (status != SQLITE_OK) return status;
  mine->base.pMethods = &methods;
  mine->folder = new std::shared_ptr<Folder>(folder);
  mine->path = new std::string(path);
  return SQLITE_OK;
}

void install() {
  static sqlite3_vfs layer;
  below = sqlite3_vfs_find(nullptr);
  layer = *below;
  layer.zName = "power-loss";
  layer.szOsFile += static_cast<int>(sizeof(File));
  layer.xOpen = open;
  sqlite3_vfs_register(&layer, 1);
}

void undo(const std::string &path, const Unsynced &unsynced, std::mt19937_64 &random) {
  int descriptor = ::open(path.c_str(), O_RDWR | O_CLOEXEC);
  if (descriptor < 0) return;
  for (const auto &[index, sector] : unsynced.sectors) {
    if (random() % 2 == 0) continue;
    int64_t offset = index * sector_size;
    int64_t count = std::min(sector_size, unsynced.length - offset);
    if (count > 0 && ::pwrite(descriptor, sector.data(), count, offset) != count) std::abort();
  }
  struct stat status = {};
  if (fstat(descriptor, &status) == 0 && status.st_size > unsynced.length && random() % 2 == 0) {
    int64_t added = status.st_size - unsynced.length;
    if (ftruncate(descriptor, unsynced.length + added * int64_t(random() % 4) / 4) != 0) {
      std::abort();
    }
  }
  ::close(descriptor);
}

}  // namespace

void power_loss_watch(const char *folder) {
  static std::once_flag once;
  std::call_once(once, install);
  std::lock_guard guard(lock);
  folders[folder] = std::make_shared<Folder>();
}

void power_loss_forget(const char *folder) {
  std::lock_guard guard(lock);
  folders.erase(folder);
}

int64_t power_loss_count(const char *folder) {
  std::lock_guard guard(lock);
  return folders.at(folder)->operations;
}

void power_loss_fail(const char *folder, int64_t number, int code, int lasts) {
  std::lock_guard guard(lock);
  Folder &watched = *folders.at(folder);
  watched.failing = number;
  watched.code = code;
  watched.lasts = lasts != 0;
}

void power_loss_strike(const char *folder, uint64_t seed) {
  std::lock_guard guard(lock);
  Folder &watched = *folders.at(folder);
  std::mt19937_64 random(seed);
  for (const auto &[path, unsynced] : watched.files) undo(path, unsynced, random);
  watched.files.clear();
  watched.failing = -1;
}
