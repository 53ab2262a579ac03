import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { maskJson, maskText } from './mask.js'

function masked(text: string): string {
  const buf = Buffer.from(text)
  maskText(buf, 0, buf.length)
  return buf.toString()
}

describe('is masked', () => {
  it.each([
    ['ask jane.doe+x@mail.example.com.', 'ask ***************************.'],
    ['<a@b.io>', '<******>'],
    ['card 4111 1111 1111 1111', 'card *******************'],
    ['5500-0000-0000-0004,', '*******************,'],
    ['378282246310005', '***************'],
    ['IBAN DE89 3704 0044 0532 0130 00', 'IBAN ***************************'],
    ['ssn 123-45-6789', 'ssn ***********'],
    ['call (555) 123-4567', 'call **************'],
    ['555.123.4567', '************'],
    ['+49 30 1234567', '**************'],
    ['Zoë: zoë.x@y.de', 'Zoë: zoë*******'],
  ])('%j', (text, expected) => expect(masked(text)).toBe(expected))
})

describe('stays', () => {
  it.each([
    '@mention and a @ b',
    'user@localhost',
    'git@',
    '4111 1111 1111 1112',
    '1780315200000000000',
    '550e8400-e29b-41d4-a716-446655440000',
    '2026-06-01T12:00:00.123456Z',
    '000-12-3456',
    'version 1.2.3.4, 10.0.0.1:8080',
    'DE00 3704 0044 0532 0130 00',
    'weave:///acme/one/object/model:AbC123',
  ])('%j', (text) => expect(masked(text)).toBe(text))
})

it('escapes of JSON stay whole', () => {
  const value = { a: 'x\njane@b.io\t123-45-6789', 'k@b.io': 'é"a@b.io\\', n: 4111111111111111 }
  const text = JSON.stringify(value).replace('é', '\\u00e9')
  const buf = Buffer.from(text)
  maskJson(buf)
  expect(JSON.parse(buf.toString())).toEqual({
    a: 'x\n*********\t***********',
    '******': 'é"******\\',
    n: 4111111111111111,
  })
})

it('JSON stays JSON of the same length', () => {
  const piece = fc.constantFrom(
    'a@b.io',
    '\n',
    '\\',
    '"',
    'é',
    '😀',
    '+49 30 123456',
    ' ',
    '\u0000',
    '4111111111111111',
    'u',
  )
  const text = fc.array(piece).map((pieces) => pieces.join(''))
  fc.assert(
    fc.property(fc.dictionary(text, fc.oneof(text, fc.double(), fc.integer())), (value) => {
      const before = JSON.stringify(value)
      const buf = Buffer.from(before)
      maskJson(buf)
      const once = buf.toString()
      expect(Object.keys(JSON.parse(once))).toBeDefined()
      expect(buf.length).toBe(Buffer.byteLength(before))
      expect(once).not.toMatch(/a@b\.io/)
    }),
  )
})

it('takes time by the length of a text, whatever is in it', () => {
  const texts = ['a', '1', '@', 'a@', '1-', '+1 ', 'A1', '(555) ', '"\\'].map((piece) =>
    piece.repeat(200_000),
  )
  const before = process.cpuUsage().user
  for (const text of texts) masked(text)
  expect(process.cpuUsage(undefined).user - before).toBeLessThan(20_000_000)
})
