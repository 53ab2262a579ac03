import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ExactNumber, jsonText, parseJson, received, toSend } from './json'

/** As texts: some are exact, some not, some only look odd. */
const digits = (min: number, max: number) =>
  fc
    .array(fc.integer({ min: 0, max: 9 }), { minLength: min, maxLength: max })
    .map((all) => all.join('').replace(/^0+(?=\d)/, ''))
const number = fc
  .tuple(
    fc.constantFrom('', '-'),
    digits(1, 40),
    fc.option(digits(1, 30), { nil: undefined }),
    fc.option(fc.tuple(fc.constantFrom('e', 'E', 'e+', 'e-'), fc.nat(1200)), { nil: undefined }),
  )
  .map(
    ([sign, whole, fraction, power]) =>
      `${sign}${whole}${fraction === undefined ? '' : `.${fraction}`}${power === undefined ? '' : power.join('')}`,
  )
/** Texts that look like what is looked for, with escapes. */
const word = fc.oneof(
  fc.string(),
  number,
  fc.constantFrom(
    '\\',
    '"',
    '\\"1234567890123456789',
    '__proto__',
    'toJSON',
    '5e-324',
    '", 12345678901234567890',
  ),
)
const { json } = fc.letrec<{ json: string }>((tie) => ({
  json: fc.oneof(
    { maxDepth: 4 },
    number,
    word.map((text) => JSON.stringify(text)),
    fc.constantFrom('true', 'null', '5e-324', '-0', '1.50', '1e5', '"\\u0031234567890123456789"'),
    fc.array(tie('json'), { maxLength: 4 }).map((all) => `[ ${all.join(' , ')} ]`),
    fc
      .uniqueArray(fc.tuple(word, tie('json')), { maxLength: 4, selector: ([key]) => key })
      .map((all) => `{${all.map(([key, one]) => `${JSON.stringify(key)}: ${one}`).join(',')}}`),
  ),
}))

/** The digits and the power of ten of a number: what all ways to write it have in common. */
function decimal(text: string): string {
  const [, sign, whole = '', fraction = '', power = '0'] = /^(-?)(\d+)(?:\.(\d+))?(?:[eE](.+))?$/.exec(text)!
  let value = BigInt(whole + fraction)
  let exponent = Number(power) - fraction.length
  if (value === 0n) return '0'
  for (; value % 10n === 0n; value /= 10n) exponent++
  return `${sign}${value} ${exponent}`
}

/** The numbers of a JSON text, outside of its strings. */
const numbersIn = (text: string) =>
  (text.replace(/"(?:[^"\\]|\\.)*"/g, '').match(/-?\d[\d.eE+-]*/g) ?? []).map(decimal).sort()

describe('JSON', () => {
  it('keeps the digits of every number', () => {
    fc.assert(
      fc.property(json, fc.constantFrom(0 as const, 2 as const), (text, indent) => {
        const again = jsonText(parseJson(text), indent)
        expect(numbersIn(again)).toEqual(numbersIn(text))
        expect(jsonText(parseJson(again), indent)).toBe(again)
      }),
    )
  })

  it('is otherwise what JavaScript reads and writes', () => {
    fc.assert(
      fc.property(json, fc.constantFrom(0 as const, 2 as const), (text, indent) => {
        const value = parseJson(text)
        const again = jsonText(value, indent)
        expect(JSON.stringify(JSON.parse(again))).toBe(JSON.stringify(JSON.parse(text)))
        if (!/\d{15}|\de/i.test(text.replaceAll('.', ''))) expect(value).toEqual(JSON.parse(text))
        // Spaces and line ends are the same, too.
        expect(JSON.stringify(JSON.parse(again), null, indent).split('\n').length).toBe(
          again.split('\n').length,
        )
      }),
    )
  })

  it.each([
    '1234567890123456789',
    '-9007199254740993',
    '1e400',
    '0.12345678901234567890',
    '1e-400',
    '1000000000000000000000',
  ])('%s is kept as it is written', (text) => {
    expect(parseJson(text)).toEqual(new ExactNumber(text))
    expect(jsonText({ id: parseJson(text), more: undefined })).toBe(`{"id":${text}}`)
  })

  it.each([
    '1.0',
    '1e5',
    '0.30000000000000004',
    '9007199254740992',
    '1.7976931348623157e308',
    '5e-324',
    '0.000000000000000000000',
  ])('%s stays a number', (text) => expect(parseJson(text)).toBe(JSON.parse(text)))

  it('says what is wrong as JavaScript does', () => {
    const text = '{"a": 1234567890123456789., "b": 1}'
    let said = ''
    try {
      JSON.parse(text)
    } catch (error) {
      said = String(error)
    }
    expect(() => parseJson(text)).toThrow(said.replace('SyntaxError: ', ''))
  })

  it('comes from a worker with all digits', () => {
    const value = parseJson('{"id": 1234567890123456789, "n": [1]}')
    expect(received(structuredClone(toSend(value)))).toEqual(value)
    expect(toSend({ n: 1 })).toEqual({ value: { n: 1 } })
    expect(received(toSend(undefined))).toBeUndefined()
  })

  it('is read in a time that grows with the text', () => {
    const long = `{"id":1234567890123456789,"text":"${'\\\\\\"'.repeat(1_000_000)}","n":[${'0.12345678901234567,'.repeat(100_000)}1${'0'.repeat(300_000)}1]}`
    const from = performance.now()
    expect(jsonText(parseJson(long)).length).toBe(long.length)
    expect(performance.now() - from).toBeLessThan(10_000)
  })

  it('may be deep', () => {
    const text = `${'['.repeat(100_000)}1234567890123456789${']'.repeat(100_000)}`
    expect(parseJson(text)).toBeInstanceOf(Array)
  })
})
