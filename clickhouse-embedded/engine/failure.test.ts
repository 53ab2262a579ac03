import { expect, test } from 'vitest'
import { engineFailure, failure, statusOf } from './failure.js'

test.each([
  [
    'Query failed: Code: 60. DB::Exception: No table. (UNKNOWN_TABLE)',
    60,
    'Code: 60. DB::Exception: No table. (UNKNOWN_TABLE)',
  ],
  [
    'Code: 117. DB::Exception: Code: 117. DB::Exception: Bad: /spool/x. (INCORRECT_DATA) (version 1.2). (INCORRECT_DATA)',
    117,
    'Code: 117. DB::Exception: Bad: the request body. (INCORRECT_DATA)',
  ],
  ['something else', 1002, 'Code: 1002. DB::Exception: something else. (UNKNOWN_EXCEPTION)'],
])('%j', (text, code, message) => {
  expect(engineFailure(new Error(text), '/spool/x')).toMatchObject({ code, message })
})

test('a failure of the front keeps its code and words', () => {
  const own = failure(516, 'AUTHENTICATION_FAILED', 'no')
  expect(engineFailure(own)).toMatchObject({ code: 516, message: own.message })
})

test.each([
  [60, 404],
  [62, 400],
  [516, 403],
  [159, 408],
  [202, 429],
  [241, 500],
])('code %i is status %i', (code, status) => {
  expect(statusOf(code)).toBe(status)
})
