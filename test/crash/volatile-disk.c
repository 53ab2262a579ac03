/*
 * A disk with a volatile write cache, as one file over FUSE: what is written counts as stored when the next flush has
 * succeeded. A loop device over that file, with a real file system on it, goes through a power loss as it would on
 * hardware.
 *
 *   volatile-disk MOUNTPOINT IMAGE
 *
 * Commands are lines of standard input, each answered by a line of standard output:
 *   cut SEED PERCENT   the power fails: of what was written since the last flush, so many percent of the pieces stay
 *                      (0: nothing; otherwise in sectors of 512 bytes or whole writes, by chance); then nothing works
 *   revive             the power is back
 *   fail OPERATION N   the next N reads, writes or flushes fail with EIO
 */
#define FUSE_USE_VERSION 31
#include <errno.h>
#include <fcntl.h>
#include <fuse3/fuse.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SECTOR 512

/* A write that no flush has followed, with what was there before. */
struct pending {
  struct pending *earlier, *later;
  off_t offset;
  size_t length;
  char *before, *after;
};

static const char *const PATH = "/disk";
static int image;
static off_t image_size;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct pending *first, *last;
static int is_off;
static int failing_reads, failing_writes, failing_flushes;

static void forget(struct pending *write) {
  free(write->before);
  free(write->after);
  free(write);
}

static int takes(int *failing) {
  if (is_off) return 0;
  if (*failing == 0) return 1;
  --*failing;
  return 0;
}

static int disk_getattr(const char *path, struct stat *found, struct fuse_file_info *info) {
  (void)info;
  memset(found, 0, sizeof *found);
  if (strcmp(path, "/") == 0) {
    found->st_mode = S_IFDIR | 0700;
    found->st_nlink = 2;
    return 0;
  }
  if (strcmp(path, PATH) != 0) return -ENOENT;
  found->st_mode = S_IFREG | 0600;
  found->st_nlink = 1;
  found->st_size = image_size;
  return 0;
}

static int disk_open(const char *path, struct fuse_file_info *info) {
  if (strcmp(path, PATH) != 0) return -ENOENT;
  info->direct_io = 1;
  return 0;
}

static int disk_read(const char *path, char *to, size_t length, off_t offset, struct fuse_file_info *info) {
  (void)path, (void)info;
  pthread_mutex_lock(&lock);
  ssize_t done = takes(&failing_reads) ? pread(image, to, length, offset) : -1;
  pthread_mutex_unlock(&lock);
  return done < 0 ? -EIO : (int)done;
}

static int disk_write(const char *path, const char *from, size_t length, off_t offset, struct fuse_file_info *info) {
  (void)path, (void)info;
  pthread_mutex_lock(&lock);
  ssize_t done = -1;
  if (takes(&failing_writes)) {
    struct pending *write = calloc(1, sizeof *write);
    write->offset = offset;
    write->length = length;
    write->before = calloc(1, length);
    write->after = malloc(length);
    memcpy(write->after, from, length);
    if (pread(image, write->before, length, offset) >= 0) done = pwrite(image, from, length, offset);
    write->earlier = last;
    if (last) last->later = write;
    else first = write;
    last = write;
  }
  pthread_mutex_unlock(&lock);
  return done < 0 ? -EIO : (int)done;
}

static int disk_flush(const char *path, int only_data, struct fuse_file_info *info) {
  (void)path, (void)only_data, (void)info;
  pthread_mutex_lock(&lock);
  int isDone = takes(&failing_flushes);
  while (isDone && first) {
    struct pending *write = first;
    first = write->later;
    forget(write);
  }
  if (!first) last = NULL;
  pthread_mutex_unlock(&lock);
  return isDone ? 0 : -EIO;
}

static void put(const char *from, size_t length, off_t offset) {
  if (pwrite(image, from, length, offset) != (ssize_t)length) perror("the image can't be written");
}

/* Takes everything back to the last flush, then puts the pieces there that stay. */
static void cut(unsigned seed, int percent) {
  unsigned long writes = 0, kept = 0, lost = 0;
  is_off = 1;
  srandom(seed);
  for (struct pending *write = last; write; write = write->earlier) put(write->before, write->length, write->offset);
  while (first) {
    struct pending *write = first;
    int isTorn = percent > 0 && percent < 100 && random() % 3 == 0;
    for (size_t at = 0; at < write->length;) {
      size_t length = write->length - at;
      if (isTorn && length > SECTOR) length = SECTOR;
      if (random() % 100 < percent) {
        put(write->after + at, length, write->offset + (off_t)at);
        kept += length;
      } else {
        lost += length;
      }
      at += length;
    }
    writes++;
    first = write->later;
    forget(write);
  }
  last = NULL;
  printf("%lu writes since the last flush: %lu bytes kept, %lu lost\n", writes, kept, lost);
}

static void *commands(void *none) {
  char line[200];
  while (fgets(line, sizeof line, stdin)) {
    unsigned seed;
    int number;
    pthread_mutex_lock(&lock);
    if (sscanf(line, "cut %u %d", &seed, &number) == 2) {
      cut(seed, number);
    } else {
      if (strncmp(line, "revive", 6) == 0) is_off = failing_reads = failing_writes = failing_flushes = 0;
      if (sscanf(line, "fail read %d", &number) == 1) failing_reads = number;
      if (sscanf(line, "fail write %d", &number) == 1) failing_writes = number;
      if (sscanf(line, "fail flush %d", &number) == 1) failing_flushes = number;
      printf("%d reads, %d writes and %d flushes will fail\n", failing_reads, failing_writes, failing_flushes);
    }
    fflush(stdout);
    pthread_mutex_unlock(&lock);
  }
  return none;
}

static void *disk_init(struct fuse_conn_info *connection, struct fuse_config *config) {
  (void)connection;
  config->direct_io = 1;
  pthread_t reader;
  pthread_create(&reader, NULL, commands, NULL);
  return NULL;
}

int main(int count, char **arguments) {
  if (count != 3) return 2;
  image = open(arguments[2], O_RDWR);
  if (image < 0) {
    perror(arguments[2]);
    return 1;
  }
  image_size = lseek(image, 0, SEEK_END);
  static const struct fuse_operations operations = {
    .getattr = disk_getattr,
    .open = disk_open,
    .read = disk_read,
    .write = disk_write,
    .fsync = disk_flush,
    .init = disk_init,
  };
  char *options[] = {arguments[0], "-f", arguments[1], NULL};
  return fuse_main(3, options, &operations, NULL);
}
