/*
 * Lets syncs fail as on a bad disk: a library for LD_PRELOAD. Of the files whose paths contain SYNC_FAILS_IN, the next one
 * that is synced fails with EIO for each time that the file SYNC_FAILS_ONCE is made.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define REAL(name) static __typeof__(&name) real; if (!real) real = (__typeof__(&name))dlsym(RTLD_NEXT, #name)

static int fails(int file) {
  const char *where = getenv("SYNC_FAILS_IN"), *once = getenv("SYNC_FAILS_ONCE");
  char link[64], path[PATH_MAX + 1];
  snprintf(link, sizeof link, "/proc/self/fd/%d", file);
  ssize_t length = readlink(link, path, PATH_MAX);
  if (!where || !once || length < 0) return 0;
  path[length] = 0;
  return strstr(path, where) && unlink(once) == 0;
}

int fsync(int file) {
  REAL(fsync);
  if (!fails(file)) return real(file);
  errno = EIO;
  return -1;
}

int fdatasync(int file) {
  REAL(fdatasync);
  if (!fails(file)) return real(file);
  errno = EIO;
  return -1;
}
