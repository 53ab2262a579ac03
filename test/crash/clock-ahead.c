/*
 * Sets the clock of a process and its children ahead, by CLOCK_AHEAD seconds: a library for LD_PRELOAD. What waits until
 * a moment of that clock waits until the moment that the kernel takes it for.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/time.h>
#include <time.h>

static long ahead(void) {
  static long seconds = -1;
  if (seconds < 0) {
    const char *given = getenv("CLOCK_AHEAD");
    seconds = given ? atol(given) : 0;
  }
  return seconds;
}

#define REAL(name) static __typeof__(&name) real; if (!real) real = (__typeof__(&name))dlsym(RTLD_NEXT, #name)

int clock_gettime(clockid_t clock, struct timespec *at) {
  REAL(clock_gettime);
  int failed = real(clock, at);
  if (!failed && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) at->tv_sec += ahead();
  return failed;
}

int gettimeofday(struct timeval *restrict at, void *restrict zone) {
  REAL(gettimeofday);
  int failed = real(at, zone);
  if (!failed) at->tv_sec += ahead();
  return failed;
}

time_t time(time_t *at) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  if (at) *at = now.tv_sec;
  return now.tv_sec;
}

int pthread_cond_timedwait(pthread_cond_t *restrict condition, pthread_mutex_t *restrict mutex, const struct timespec *restrict until) {
  REAL(pthread_cond_timedwait);
  struct timespec soon = *until, now;
  clock_gettime(CLOCK_REALTIME, &now);
  // Of the other clock, which counts from the start of the machine, it is far less.
  if (soon.tv_sec > now.tv_sec - ahead() / 2) soon.tv_sec -= ahead();
  return real(condition, mutex, &soon);
}
