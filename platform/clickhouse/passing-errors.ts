/**
 * ClickHouse's errors that say nothing of a statement or its rows, by name, with their codes: another time, or with less at
 * once, the same may be done. Pure.
 */

/** What a failing disk lets no file do, from opening it to its sync and its new name. */
export const FILE_ERRORS = {
  CANNOT_READ_FROM_FILE_DESCRIPTOR: 74,
  CANNOT_WRITE_TO_FILE_DESCRIPTOR: 75,
  CANNOT_OPEN_FILE: 76,
  CANNOT_CLOSE_FILE: 77,
  DIRECTORY_ALREADY_EXISTS: 84,
  CANNOT_SEEK_THROUGH_FILE: 87,
  CANNOT_TRUNCATE_FILE: 88,
  CANNOT_CREATE_DIRECTORY: 172,
  CANNOT_FSYNC: 204,
  CANNOT_STATVFS: 214,
  CANNOT_WRITE_TO_FILE: 294,
  CANNOT_STAT: 400,
  CANNOT_LINK: 424,
  CANNOT_UNLINK: 458,
  FILE_ALREADY_EXISTS: 504,
  ATOMIC_RENAME_FAIL: 521,
  CANNOT_FSTAT: 531,
  CANNOT_CREATE_FILE: 586,
  CANNOT_APPEND_TO_FILE: 641,
} as const satisfies Record<string, number>

export const PASSING_ERRORS = {
  // Memory, time, room, too much at once.
  TIMEOUT_EXCEEDED: 159,
  CANNOT_ALLOCATE_MEMORY: 173,
  TOO_MANY_SIMULTANEOUS_QUERIES: 202,
  SOCKET_TIMEOUT: 209,
  NETWORK_ERROR: 210,
  ABORTED: 236,
  MEMORY_LIMIT_EXCEEDED: 241,
  TABLE_IS_READ_ONLY: 242,
  NOT_ENOUGH_SPACE: 243,
  TOO_MANY_PARTS: 252,
  LIMIT_EXCEEDED: 290,
  QUERY_WAS_CANCELLED: 394,
  CANNOT_SCHEDULE_TASK: 439,
  DEADLOCK_AVOIDED: 473,
  SERVER_OVERLOADED: 745,
  ...FILE_ERRORS,
} as const satisfies Record<string, number>
