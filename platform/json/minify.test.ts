import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { minify } from './minify.js'

const minified = (text: string) => Buffer.from(minify(Buffer.from(text))).toString()

describe('minify', () => {
  it.each([
    [' { "a" : [ 1.0 , -0.0, 1E5 ,\n12345678901234567890 ] } ', '{"a":[1.0,-0.0,1E5,12345678901234567890]}'],
    ['"a \\" b \\\\"', '"a \\" b \\\\"'],
    ['[ "\\u00e9\\/\\ud83d\\ude00" ]', '["\\u00e9\\/\\ud83d\\ude00"]'],
    ['"\\ud83d"', '"\\ufffd"'],
    ['"\\uD83D\\uD83D\\uDE00 \\uDE00"', '"\\ufffd\\uD83D\\uDE00 \\ufffd"'],
    ['{"a": 1, "a": 2}', '{"a":1,"a":2}'],
    ['\t7\r\n', '7'],
  ])('%j becomes %j', (text, expected) => {
    expect(minified(text)).toBe(expected)
  })

  it('hands back the same bytes if nothing has to change', () => {
    const text = Buffer.from('{"a":["b c",1.0]}')
    expect(minify(text)).toBe(text)
  })

  it('keeps the meaning and is one line', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom(0, 2, '\t', '\n \r'), (value, indent) => {
        const text = JSON.stringify(value, null, indent as string | number)
        const result = minified(text)
        expect(result).toBe(JSON.stringify(value))
        expect(result).not.toContain('\n')
      }),
    )
  })

  it('leaves no half surrogate behind', () => {
    const unit = fc.constantFrom(
      '\\ud800',
      '\\udbff',
      '\\udc00',
      '\\uDFFF',
      'x',
      '\\\\',
      '\\n',
      '\\u0041',
      'é',
    )
    fc.assert(
      fc.property(fc.array(unit), (units) => {
        const text = `"${units.join('')}"`
        const expected = Buffer.from(String(JSON.parse(text))).toString()
        expect(JSON.parse(minified(text))).toBe(expected)
      }),
    )
  })
})
