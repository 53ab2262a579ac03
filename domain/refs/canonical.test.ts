import { spawnSync } from 'node:child_process'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { JsonError } from '../../platform/json/error.js'
import { rounds } from '../../test/support/rounds.js'
import { canonicalJson, pythonNumber } from './canonical.js'

describe('pythonNumber', () => {
  it.each([
    ['0', '0'],
    ['-0', '0'],
    ['-7', '-7'],
    ['123456789012345678901234567890', '123456789012345678901234567890'],
    ['1.0', '1.0'],
    ['1.10', '1.1'],
    ['-0.0', '-0.0'],
    ['-0e7', '-0.0'],
    ['0.0001', '0.0001'],
    ['0.00001', '1e-05'],
    ['1E5', '100000.0'],
    ['1e15', '1000000000000000.0'],
    ['9999999999999998.0', '9999999999999998.0'],
    ['1e16', '1e+16'],
    ['12345678901234567.0', '1.2345678901234568e+16'],
    ['1.5e300', '1.5e+300'],
    ['5e-324', '5e-324'],
    ['1e-400', '0.0'],
    ['123.456e1', '1234.56'],
  ])('%s is %s', (text, expected) => {
    expect(pythonNumber(text)).toBe(expected)
  })

  it('refuses what no double can hold', () => {
    expect(() => pythonNumber('1e309')).toThrow(JsonError)
    expect(() => canonicalJson(Buffer.from('{"a":[-2e999]}'))).toThrow('too large for a double')
  })
})

describe('canonicalJson', () => {
  it.each([
    ['{"b":1,"a":{"d":[],"c":{}},"b":2}', '{"a": {"c": {}, "d": []}, "b": 2}'],
    ['{"\\ud83d\\ude00":1,"\\ufffd":2,"z":3}', '{"z": 3, "\\ufffd": 2, "\\ud83d\\ude00": 1}'],
    ['{"aa":1,"a":2,"":3}', '{"": 3, "a": 2, "aa": 1}'],
    ['"\\u007f\\u0000\\b\\/é"', '"\\u007f\\u0000\\b/\\u00e9"'],
    ['"\\ud800"', '"\\ud800"'],
  ])('%s', (text, expected) => {
    expect(canonicalJson(Buffer.from(text))).toBe(expected)
  })

  it('is what Python writes', () => {
    const python = 'import json,sys\nfor l in sys.stdin: print(json.dumps(json.loads(l), sort_keys=True))'
    const number = fc.oneof(
      fc.double({ noNaN: true, noDefaultInfinity: true }).map((x) => (Object.is(x, -0) ? '-0.0' : String(x))),
      fc.bigInt().map(String),
      fc
        .tuple(fc.constantFrom('', '-'), fc.nat(), fc.nat(), fc.integer({ min: -330, max: 290 }))
        .map(([sign, whole, part, power]) => `${sign}${whole}.${part}E${power}`),
      fc.tuple(fc.nat(), fc.integer({ min: -30, max: 30 })).map(([whole, power]) => `${whole}e${power}`),
    )
    const string = fc
      .oneof(fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' }))
      .map((text) => JSON.stringify(text))
    const { text } = fc.letrec<{ text: string }>((tie) => ({
      text: fc.oneof(
        { depthSize: 'medium' },
        number,
        string,
        fc.constantFrom('null', 'true', 'false', '-0', '"\\ud800"', '"\\udc00\\ud800"'),
        fc.array(tie('text')).map((items) => `[${items.join(' ,')}]`),
        fc
          .array(fc.tuple(string, tie('text')))
          .map((items) => `{${items.map(([k, v]) => `${k}: ${v}`).join(',')}}`),
      ),
    }))
    const texts = fc.sample(text, { numRuns: rounds(1000, 3000), seed: 20260101 })
    const { stdout, stderr } = spawnSync('python3', ['-c', python], {
      input: `${texts.join('\n')}\n`,
      encoding: 'utf8',
      maxBuffer: 1 << 28,
    })
    expect(stderr).toBe('')
    const expected = stdout.trimEnd().split('\n')
    expect(expected.length).toBe(texts.length)
    texts.forEach((source, i) => {
      expect(canonicalJson(Buffer.from(source))).toBe(expected[i])
    })
  })
})
