import { ClickHouseError } from '@clickhouse/client'
import { describe, expect, it } from 'vitest'
import { errors } from '../errors/catalog.js'
import { answerError, insertError, isOutOfMemory, storeError } from './store-error.js'

const thrown = (type: string, message = 'no') => new ClickHouseError({ message, code: '1', type })
const coded = (code: string) => Object.assign(new Error(code), { code })
const refused = coded('ECONNREFUSED')
const exception = 'Code: 27. DB::Exception: Cannot parse input. (CANNOT_PARSE_INPUT_ASSERTION_FAILED)'

describe('what a statement met', () => {
  it.each<[string, unknown, string, string]>([
    ['no connection', refused, 'STORE_UNAVAILABLE', 'STORE_UNAVAILABLE'],
    ['no answer in time', coded('ETIMEDOUT'), 'STORE_UNAVAILABLE', 'STORE_UNAVAILABLE'],
    ['our patience', coded('ABORT_ERR'), 'STORE_UNAVAILABLE', 'STORE_UNAVAILABLE'],
    ['a shard that is away', thrown('ALL_CONNECTION_TRIES_FAILED'), 'STORE_UNAVAILABLE', 'STORE_UNAVAILABLE'],
    ['an answer that is no exception', new Error('<html>'), 'STORE_BUSY', 'STORE_BUSY'],
    ['too many parts', thrown('TOO_MANY_PARTS'), 'STORE_BUSY', 'STORE_BUSY'],
    ['a full disk', thrown('NOT_ENOUGH_SPACE'), 'STORE_FULL', 'STORE_FULL'],
    [
      'a write without room',
      thrown('CANNOT_WRITE_TO_FILE_DESCRIPTOR', 'errno: 28, strerror: No space left on device'),
      'STORE_FULL',
      'STORE_FULL',
    ],
    [
      'a disk that fails',
      thrown('CANNOT_FSYNC', 'errno: 5, strerror: Input/output error'),
      'STORE_DISK_FAILED',
      'STORE_DISK_FAILED',
    ],
    [
      'a text that speaks of a disk',
      thrown('CANNOT_PARSE_TEXT', "Cannot parse string 'errno: 28' as Int64"),
      'INTERNAL',
      'STORE_REFUSED',
    ],
    ['a limit of memory', thrown('MEMORY_LIMIT_EXCEEDED'), 'LIMIT_HIT', 'STORE_BUSY'],
    [
      'the memory of the whole server',
      thrown('MEMORY_LIMIT_EXCEEDED', '(total) memory limit exceeded: would use 1.5 GiB'),
      'STORE_BUSY',
      'STORE_BUSY',
    ],
    ['a limit of time', thrown('TIMEOUT_EXCEEDED'), 'TOO_SLOW', 'STORE_BUSY'],
    ['no thread to be had', thrown('CANNOT_SCHEDULE_TASK'), 'STORE_BUSY', 'STORE_BUSY'],
    ['a missing table', thrown('UNKNOWN_TABLE'), 'INTERNAL', 'STORE_BUSY'],
    ['a value of another type', thrown('TYPE_MISMATCH'), 'INTERNAL', 'STORE_REFUSED'],
    ['an error of ours', errors.noRoute('GET', '/'), 'NO_ROUTE', 'NO_ROUTE'],
  ])('%s', (_, error, read, inserted) => {
    expect([storeError(error).code, insertError(error).code]).toEqual([read, inserted])
  })

  it.each([
    [400, exception, 'STORE_REFUSED'],
    [431, '', 'STORE_REFUSED'],
    [413, '<html>', 'STORE_REFUSED'],
    [429, 'slow down', 'STORE_BUSY'],
    [502, '<html>', 'STORE_UNAVAILABLE'],
  ])('an answer with status %s', (status, text, code) => {
    expect(insertError(answerError(status, text)).code).toBe(code)
  })

  it('a smaller insert may fit where memory was short', () => {
    expect(isOutOfMemory(insertError(thrown('MEMORY_LIMIT_EXCEEDED')))).toBe(true)
    expect(isOutOfMemory(insertError(thrown('TOO_MANY_PARTS')))).toBe(false)
    expect(isOutOfMemory(refused)).toBe(false)
  })
})
