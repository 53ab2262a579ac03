import { expect, it } from 'vitest'
import { hostOf } from '../../platform/http/forwarded.js'
import {
  credentialsIn,
  csrfToken,
  presentedSessions,
  sessionCookie,
  usableSessions,
} from './session-cookie.js'

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

const of = (headers: Record<string, string>) => new Map(Object.entries(headers))

it.each([
  [{ 'x-forwarded-proto': 'https' }, true],
  [{ 'x-forwarded-proto': 'HTTPS' }, true],
  [{ 'x-forwarded-proto': 'https,http' }, true],
  [{ 'x-forwarded-proto': 'https, http' }, true],
  [{ forwarded: 'for=192.0.2.1;proto=https;host="a.example:443", for=10.0.0.1;proto=http' }, true],
  [{ forwarded: 'Proto="HTTPS"' }, true],
  [{ 'x-forwarded-proto': 'http, https' }, false],
  [{ forwarded: 'for=192.0.2.1' }, false],
  [{}, false],
])('a session is for TLS and this host alone where the caller came by TLS: %j', (headers, isTls) => {
  const cookie = sessionCookie('s1', 60, of(headers))
  expect([cookie.startsWith('__Host-heddle_session=s1;'), cookie.includes('; Secure')]).toEqual([
    isTls,
    isTls,
  ])
  expect(cookie).not.toContain('Domain')
})

it('of several sessions, the one of this very host comes first, and behind TLS no other counts', () => {
  const cookie = 'heddle_session=planted; __Host-heddle_session=own; heddle_session=more'
  expect(presentedSessions(of({ cookie }))).toEqual(['own', 'planted', 'more'])
  expect(presentedSessions(of({ cookie, 'x-forwarded-proto': 'https' }))).toEqual(['own'])
  expect(presentedSessions(of({ cookie: 'heddle_session=x; '.repeat(50) }))).toHaveLength(4)
})

it('of several sessions, a page uses the one whose token it sends', () => {
  const headers = of({ 'x-csrf-token': csrfToken('own') })
  expect(usableSessions('POST', ['planted', 'own'], headers)).toEqual(['own'])
  expect(usableSessions('GET', ['planted', 'own'], headers)).toEqual(['planted', 'own'])
  expect(() => usableSessions('POST', ['planted'], headers)).toThrow()
})

it.each([
  [{ 'x-forwarded-host': 'a.example:8443', host: 'b' }, 'a.example:8443'],
  [{ 'x-forwarded-host': '[::1]:80, b', host: 'b' }, '[::1]:80'],
  [{ forwarded: 'host="a.example";proto=https', host: 'b' }, 'a.example'],
  [{ 'x-forwarded-host': 'user@evil.example', host: 'b' }, 'b'],
  [{ 'x-forwarded-host': 'evil.example/path?', host: 'b' }, 'b'],
  [{ host: 'b' }, 'b'],
  [{}, undefined],
])('the host of %j is %s', (headers, host) => expect(hostOf(of(headers))).toBe(host))
