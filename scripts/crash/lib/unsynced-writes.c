/*
 * An LD_PRELOAD library for power cuts without root. Before a file in POWER_FOLDER is changed for the first time since
 * its last sync, the library copies it to POWER_UNDO. A sync deletes the copy. After a cut, the campaign restores all
 * copies, so that unsynced writes are gone. As soon as POWER_UNDO/cut exists, writes and syncs fail.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#define REAL(name) ((__typeof__(&name))real(#name))
static void *real(const char *name) { return dlsym(RTLD_NEXT, name); }

/* Finds the copy of an open file. An inode number can be used again, so the name contains the time of birth too. */
static int copy_of(int fd, char *copy, size_t size) {
  const char *folder = getenv("POWER_FOLDER"), *undo = getenv("POWER_UNDO");
  char link[64], path[4096];
  struct statx found;
  if (folder == NULL || undo == NULL) return 0;
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, path, sizeof path - 1);
  if (length < 0) return 0;
  path[length] = '\0';
  if (strncmp(path, folder, strlen(folder)) != 0) return 0;
  if (statx(fd, "", AT_EMPTY_PATH, STATX_TYPE | STATX_INO | STATX_BTIME, &found) != 0) return 0;
  if (!S_ISREG(found.stx_mode)) return 0;
  unsigned long long born = found.stx_btime.tv_sec * 1000000000ULL + found.stx_btime.tv_nsec;
  snprintf(copy, size, "%s/%llu.%llu", undo, (unsigned long long)found.stx_ino, born);
  return 1;
}

static int is_cut(void) {
  char path[4096];
  snprintf(path, sizeof path, "%s/cut", getenv("POWER_UNDO"));
  return access(path, F_OK) == 0;
}

/* Copies a file before it changes. Returns 0 if the power is cut. */
static int before_change(int fd) {
  char copy[4096], fresh[4200], self[64], block[65536];
  if (!copy_of(fd, copy, sizeof copy)) return 1;
  if (is_cut()) {
    errno = EIO;
    return 0;
  }
  if (access(copy, F_OK) == 0) return 1;
  int before = errno;
  snprintf(fresh, sizeof fresh, "%s.%d", copy, gettid());
  snprintf(self, sizeof self, "/proc/self/fd/%d", fd);
  int from = REAL(open)(self, O_RDONLY), to = REAL(open)(fresh, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  for (ssize_t got; from >= 0 && to >= 0 && (got = read(from, block, sizeof block)) > 0;) REAL(write)(to, block, got);
  if (from >= 0) close(from);
  if (to >= 0) close(to);
  link(fresh, copy);
  unlink(fresh);
  errno = before;
  return 1;
}

ssize_t write(int fd, const void *data, size_t size) {
  return before_change(fd) ? REAL(write)(fd, data, size) : -1;
}
ssize_t pwrite(int fd, const void *data, size_t size, off_t at) {
  return before_change(fd) ? REAL(pwrite)(fd, data, size, at) : -1;
}
ssize_t pwrite64(int fd, const void *data, size_t size, off64_t at) {
  return before_change(fd) ? REAL(pwrite64)(fd, data, size, at) : -1;
}
ssize_t writev(int fd, const struct iovec *parts, int count) {
  return before_change(fd) ? REAL(writev)(fd, parts, count) : -1;
}
ssize_t pwritev(int fd, const struct iovec *parts, int count, off_t at) {
  return before_change(fd) ? REAL(pwritev)(fd, parts, count, at) : -1;
}
ssize_t pwritev64(int fd, const struct iovec *parts, int count, off64_t at) {
  return before_change(fd) ? REAL(pwritev64)(fd, parts, count, at) : -1;
}
int ftruncate(int fd, off_t size) { return before_change(fd) ? REAL(ftruncate)(fd, size) : -1; }
int ftruncate64(int fd, off64_t size) { return before_change(fd) ? REAL(ftruncate64)(fd, size) : -1; }

/* Opening with O_TRUNC changes a file too. */
static int before_open(int folder, const char *path, int flags) {
  if ((flags & O_TRUNC) == 0) return 1;
  int fd = REAL(openat)(folder, path, O_RDONLY | O_CLOEXEC | (flags & O_NOFOLLOW));
  if (fd < 0) return 1;
  int may = before_change(fd);
  close(fd);
  return may;
}

#define MODE(flags) \
  mode_t mode = 0; \
  if (flags & (O_CREAT | O_TMPFILE)) { \
    va_list rest; \
    va_start(rest, flags); \
    mode = va_arg(rest, mode_t); \
    va_end(rest); \
  }
int open(const char *path, int flags, ...) {
  MODE(flags)
  return before_open(AT_FDCWD, path, flags) ? REAL(open)(path, flags, mode) : -1;
}
int open64(const char *path, int flags, ...) {
  MODE(flags)
  return before_open(AT_FDCWD, path, flags) ? REAL(open64)(path, flags, mode) : -1;
}
int openat(int folder, const char *path, int flags, ...) {
  MODE(flags)
  return before_open(folder, path, flags) ? REAL(openat)(folder, path, flags, mode) : -1;
}
int openat64(int folder, const char *path, int flags, ...) {
  MODE(flags)
  return before_open(folder, path, flags) ? REAL(openat64)(folder, path, flags, mode) : -1;
}

static int synced(int fd, int (*sync)(int)) {
  char copy[4096];
  if (!copy_of(fd, copy, sizeof copy)) return sync(fd);
  if (is_cut()) {
    errno = EIO;
    return -1;
  }
  unlink(copy);
  return 0;
}
int fsync(int fd) { return synced(fd, REAL(fsync)); }
int fdatasync(int fd) { return synced(fd, REAL(fdatasync)); }
