import { expect, it } from 'vitest'
import { credentialsIn, csrfToken } from './session-cookie.js'

it('what is passed on is the key, or the session and its token, and no other cookie', () => {
  const token = csrfToken('s1')
  const cookie = 'other=1; heddle_session=s1; more=2'
  expect(
    credentialsIn(
      new Map([
        ['authorization', 'Bearer k'],
        ['cookie', cookie],
      ]),
    ),
  ).toEqual({
    authorization: 'Bearer k',
  })
  expect(
    credentialsIn(
      new Map([
        ['cookie', cookie],
        ['x-csrf-token', token],
      ]),
    ),
  ).toEqual({
    cookie: 'heddle_session=s1',
    'x-csrf-token': token,
  })
  expect(credentialsIn(new Map([['cookie', 'other=1']]))).toEqual({})
})
