/** A line as SIEMs read it: whatever a name contains, it ends no field and no line. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { cefLine, jsonLine } from './formats.js'
import type { AuditLine } from './line.js'

const line: AuditLine = {
  ...{ chain: 'c', seq: 3, at: 1_700_000_000_500_000, beganAt: 1_700_000_000_000_000, phase: 'end', id: 'i' },
  ...{ requestId: 'r', action: 'key_create', category: 'access', userId: 'u', username: 'ann', keyId: 'k' },
  ...{ remoteAddress: '10.0.0.1', forwardedFor: '', entity: 'acme', project: '', status: 200, errorCode: '' },
  ...{ target: '{"label":"a=b|c"}', prevHash: 'p', hash: 'h' },
}

it('is CEF', () =>
  expect(cefLine(line, '1.2')).toBe(
    'CEF:0|Heddle|Heddle|1.2|key_create|access key_create|5|rt=1700000000500 suser=ann suid=u src=10.0.0.1 act=end outcome=ok externalId=i cs1=acme cs1Label=project cs2={"label":"a\\=b|c"} cs2Label=target cs3=k cs3Label=keyId cs4=r cs4Label=requestId cs5=h cs5Label=hash cs6=c:3 cs6Label=place cn1=200 cn1Label=status\n',
  ))

it('has an address of IPv6 where it belongs', () =>
  expect(cefLine({ ...line, remoteAddress: '::1' }, '1')).toContain(' c6a2=::1 c6a2Label=source act='))

it.each<[string, Partial<AuditLine>, string]>([
  ['refused', { status: 403 }, '|6|'],
  ['counted', { phase: 'counted', status: 429 }, '|8|'],
  ['of settings', { category: 'settings' }, '|3|'],
])('says how much one that is %s should be looked at', (_, change, severity) =>
  expect(cefLine({ ...line, ...change }, '1')).toContain(severity),
)

it('reads back as what it was', () =>
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const hostile = { ...line, username: text, target: JSON.stringify({ text }), errorCode: text }
      const written = cefLine(hostile, '1')
      expect(written.split('\n')).toHaveLength(2)
      const extension = written.slice(written.indexOf('|5|') + 3, -1)
      const fields = extension.split(/ (?=\w+=)/).filter((one) => one.startsWith('suser='))
      // Only an unescaped sign begins another field.
      if (text !== '' && !/ \w/.test(text)) expect(unescaped(fields[0]!.slice('suser='.length))).toBe(text)
      expect(JSON.parse(jsonLine(hostile))).toMatchObject({
        username: text,
        hash: 'h',
        at: '2023-11-14T22:13:20.500000Z',
      })
    }),
  ))

const unescaped = (text: string) =>
  text.replaceAll(/\\(.)/g, (_, char: string) => (char === 'n' ? '\n' : char === 'r' ? '\r' : char))
