/*
 * Makes the n-th call that changes (or reads) a file fail, as a dying or full disk would.
 *
 * Loaded with LD_PRELOAD. HOLDFAST_FAULT_CONTROL names a file; while it exists, it says what fails:
 *
 *     <run> <calls> <n> <errno> <once|on> <part of the path>
 *
 * <run> is any number, and counting starts again when it changes. <calls> is "writes" (write, pwrite, fsync, fdatasync,
 * ftruncate) or "reads" (read, pread). "once" fails only the n-th call, "on" it and all later ones. Removing the file
 * heals the disk. When a call was made to fail, a file with ".fired" appended to the name appears.
 *
 * HOLDFAST_FAULT_WATCH=<errno> makes it impossible to watch files.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;
static long current_run = -1;
static long count = 0;

/* System calls, because our own reading must not be counted. */
static ssize_t slurp(const char *path, char *buffer, size_t size) {
  int fd = (int)syscall(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return -1;
  ssize_t length = syscall(SYS_read, fd, buffer, size - 1);
  syscall(SYS_close, fd);
  if (length < 0) return -1;
  buffer[length] = 0;
  return length;
}

static int path_of(int fd, char *path, size_t size) {
  char link[64];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, path, size - 1);
  if (length < 0) return 0;
  path[length] = 0;
  return 1;
}

static void note_that_it_fired(const char *control) {
  char name[4096];
  snprintf(name, sizeof name, "%s.fired", control);
  int fd = (int)syscall(SYS_openat, AT_FDCWD, name, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
  if (fd >= 0) syscall(SYS_close, fd);
}

/* The errno to fail with, or 0. */
static int fault(int fd, const char *kind) {
  const char *control = getenv("HOLDFAST_FAULT_CONTROL");
  char text[8192], calls[16], mode[16], part[4096], path[4096];
  long run, n;
  int error, failing = 0;
  if (control == NULL) return 0;
  int saved = errno;
  if (slurp(control, text, sizeof text) > 0 &&
      sscanf(text, "%ld %15s %ld %d %15s %4095s", &run, calls, &n, &error, mode, part) == 6 &&
      strcmp(calls, kind) == 0 && path_of(fd, path, sizeof path) && strstr(path, part) != NULL) {
    pthread_mutex_lock(&guard);
    if (run != current_run) {
      current_run = run;
      count = 0;
    }
    count += 1;
    failing = count == n || (count > n && strcmp(mode, "on") == 0);
    pthread_mutex_unlock(&guard);
    if (failing) note_that_it_fired(control);
  }
  errno = saved;
  return failing ? error : 0;
}

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))
#define FAIL_OR(kind, call)        \
  do {                             \
    int error = fault(fd, kind);   \
    if (error == 0) return (call); \
    errno = error;                 \
    return -1;                     \
  } while (0)

ssize_t write(int fd, const void *data, size_t size) { FAIL_OR("writes", REAL(write)(fd, data, size)); }
ssize_t pwrite(int fd, const void *data, size_t size, off_t at) { FAIL_OR("writes", REAL(pwrite)(fd, data, size, at)); }
ssize_t pwrite64(int fd, const void *data, size_t size, off64_t at) { FAIL_OR("writes", REAL(pwrite64)(fd, data, size, at)); }
int fsync(int fd) { FAIL_OR("writes", REAL(fsync)(fd)); }
int fdatasync(int fd) { FAIL_OR("writes", REAL(fdatasync)(fd)); }
int ftruncate(int fd, off_t size) { FAIL_OR("writes", REAL(ftruncate)(fd, size)); }
int ftruncate64(int fd, off64_t size) { FAIL_OR("writes", REAL(ftruncate64)(fd, size)); }
ssize_t read(int fd, void *data, size_t size) { FAIL_OR("reads", REAL(read)(fd, data, size)); }
ssize_t pread(int fd, void *data, size_t size, off_t at) { FAIL_OR("reads", REAL(pread)(fd, data, size, at)); }
ssize_t pread64(int fd, void *data, size_t size, off64_t at) { FAIL_OR("reads", REAL(pread64)(fd, data, size, at)); }

int inotify_init1(int flags) {
  const char *error = getenv("HOLDFAST_FAULT_WATCH");
  if (error == NULL) return (int)syscall(SYS_inotify_init1, flags);
  errno = atoi(error);
  return -1;
}
