import fc from 'fast-check'
import { expect, test } from 'vitest'
import { boundaryOf, readFields } from './multipart.js'

function encode(fields: [string, string][], boundary: string): Buffer {
  const parts = fields.map(
    ([name, value]) => `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  )
  return Buffer.from(`${parts.join('')}--${boundary}--\r\n`)
}

test('fields come back as they were sent', () => {
  const name = fc.stringMatching(/^[a-z_]{1,10}$/)
  fc.assert(
    fc.property(fc.array(fc.tuple(name, fc.string({ unit: 'grapheme' })), { minLength: 1 }), (fields) => {
      expect(readFields(encode(fields, '----b0undary'), '----b0undary')).toEqual(fields)
    }),
  )
})

test('any bytes are read or refused', () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      try {
        readFields(Buffer.from(`--b${text}`), 'b')
      } catch (error) {
        expect(error).toMatchObject({ code: 36 })
      }
    }),
  )
})

test.each([
  ['multipart/form-data; boundary=abc', 'abc'],
  ['multipart/form-data; charset=x; boundary="a b"', 'a b'],
  ['application/json', undefined],
  [undefined, undefined],
])('the boundary of %s', (type, boundary) => {
  expect(boundaryOf(type)).toBe(boundary)
})
