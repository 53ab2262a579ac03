import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { JsonError } from './error.js'
import { MAX_DEPTH, Notes, scanText } from './scan.js'

function scan(text: string | Uint8Array): Notes {
  const notes = new Notes()
  scanText(typeof text === 'string' ? Buffer.from(text) : text, notes)
  return notes
}

function problem(text: string | Uint8Array): string {
  try {
    scan(text)
  } catch (error) {
    if (error instanceof JsonError) return error.message
    throw error
  }
  return 'fine'
}

function readsAsJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

describe('scanText', () => {
  it.each([
    ['', 'the text ends where a value is expected at byte 0'],
    ['  ', 'the text ends where a value is expected at byte 2'],
    ['{"a":}', 'expected a JSON value at byte 5'],
    ['{"a" 1}', 'expected a colon after an object key at byte 5'],
    ['{"a":1,}', 'expected an object key in double quotes at byte 7'],
    ['{"a":1', 'expected a comma or } after an object value at byte 6'],
    ['{a:1}', 'expected an object key in double quotes at byte 1'],
    ['{', 'the text ends inside an object at byte 1'],
    ['[1 2]', 'expected a comma or ] after a list value at byte 3'],
    ['[1,]', 'expected a JSON value at byte 3'],
    ['"abc', 'the text ends inside a string at byte 4'],
    ['"a\nb"', 'a string contains an unescaped control character at byte 2'],
    ['"\\x"', 'a string contains an invalid escape at byte 1'],
    ['"\\u12g4"', 'a string contains an invalid escape at byte 1'],
    ['"\\u12', 'a string contains an invalid escape at byte 1'],
    ['01', 'there is more text after the JSON value at byte 1'],
    ['1.', 'a number is incomplete at byte 2'],
    ['1e+', 'a number is incomplete at byte 3'],
    ['-', 'a number is incomplete at byte 1'],
    ['NaN', 'expected a JSON value at byte 0'],
    ['-Infinity', 'a number is incomplete at byte 1'],
    ['nul', 'expected a JSON value at byte 0'],
    ['1 1', 'there is more text after the JSON value at byte 2'],
    ['\ufeff1', 'expected a JSON value at byte 0'],
  ])('%j: %s', (text, message) => {
    expect(problem(text)).toBe(message)
  })

  it('names the first byte that is not UTF-8', () => {
    expect(problem(Buffer.concat([Buffer.from('"hé'), Buffer.of(0xc3, 0x28), Buffer.from('"')]))).toBe(
      'the text is not UTF-8 at byte 4',
    )
    expect(problem(Buffer.of(0x22, 0xed, 0xa0, 0x80, 0x22))).toBe('the text is not UTF-8 at byte 1')
  })

  it(`reads ${MAX_DEPTH} levels and not one more`, () => {
    expect(problem('['.repeat(MAX_DEPTH) + ']'.repeat(MAX_DEPTH))).toBe('fine')
    expect(problem(`${'{"a":'.repeat(MAX_DEPTH)}[]`)).toBe(
      `the text is nested deeper than ${MAX_DEPTH} levels at byte ${MAX_DEPTH * 5}`,
    )
    expect(problem('['.repeat(1_000_000))).toBe(
      `the text is nested deeper than ${MAX_DEPTH} levels at byte ${MAX_DEPTH}`,
    )
  })

  it('notes white space outside of strings only, and half surrogates', () => {
    expect(scan('{"a b":[1,"c\\n d"]}')).toMatchObject({ spaces: false, loneSurrogates: false })
    expect(scan('[1, 2]').spaces).toBe(true)
    expect(scan('"\\ud83d\\ude00"').loneSurrogates).toBe(false)
    expect(scan('"\\ud83d"').loneSurrogates).toBe(true)
    expect(scan('"\\ud83d\\ud83d\\ude00"').loneSurrogates).toBe(true)
    expect(scan('"\\ude00"').loneSurrogates).toBe(true)
    expect(scan('"\\\\ud83d"').loneSurrogates).toBe(false)
  })

  it('shows every key to the watch', () => {
    const keys: string[] = []
    const notes = new Notes((buf, from, to, escaped) => {
      keys.push(`${Buffer.from(buf).toString('utf8', from, to)} ${escaped}`)
      return false
    })
    scanText(Buffer.from('{"a":{"b\\u0020":[{"c":"d"}]},"e":1}'), notes)
    expect(keys).toEqual(['a false', 'b\\u0020 true', 'c false', 'e false'])
  })

  it('takes and refuses what JSON.parse takes and refuses', () => {
    const pieces = fc.constantFrom(
      ...[
        '{',
        '}',
        '[',
        ']',
        ',',
        ':',
        '"',
        '\\',
        '\\u00e9',
        '"a"',
        '1',
        '-',
        '.5',
        'e',
        'E+2',
        '0',
        'true',
        'fals',
      ],
      ...['null', ' ', '\n', '\t', 'é', '\u0001', '{"a":', '[1,', '\u00a0', '\u2028'],
    )
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 12 }), (parts) => {
        const text = parts.join('')
        expect(problem(text) === 'fine').toBe(readsAsJson(text))
      }),
      { numRuns: 5000 },
    )
    fc.assert(
      fc.property(fc.json(), fc.nat(), fc.constantFrom('', '"', '}', '\\', ',', ' '), (text, at, change) => {
        const cut = at % (text.length + 1)
        const broken = text.slice(0, cut) + change + text.slice(cut + 1)
        expect(problem(text)).toBe('fine')
        expect(problem(broken) === 'fine').toBe(readsAsJson(broken))
      }),
      { numRuns: 1000 },
    )
  })

  it('throws nothing but its own error, whatever the bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 64 }), (bytes) => {
        problem(bytes)
      }),
      { numRuns: 2000 },
    )
  })
})
