import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DETECTORS, MaskRule } from '../../contract/masking.js'
import { operatorRules } from './defaults.js'
import { RuleSet, ruleProblem } from './rule-set.js'
import { RulesByScope } from './rules-by-scope.js'

type Given = Partial<MaskRule>
const ruleOf = (given: Given) => MaskRule.parse({ name: 'r', ...given })
const setOf = (...rules: Given[]) =>
  new RuleSet(
    rules.map((rule, i) => ({ rule: ruleOf({ name: `r${i}`, ...rule }), scope: 'a/b', salt: 'salt' })),
  )
const policy = new RulesByScope(operatorRules('pii-v1')).of('a/b')
const all = setOf(...DETECTORS.map((detector) => ({ detector })))

describe('pii-v1 masks', () => {
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
  ])('%j', (text, expected) => expect(policy.text(text)).toBe(expected))
})

describe('nothing masks', () => {
  it.each([
    '@mention and a @ b',
    'user@localhost',
    'git@',
    '4111 1111 1111 1112',
    '1780315200000000000',
    '550e8400-e29b-41d4-a716-446655440000',
    '2026-06-01T12:00:00.123456Z',
    '000-12-3456',
    'version 1.2.3, std::vector, 256.1.1.1',
    'DE00 3704 0044 0532 0130 00',
    'weave:///acme/one/object/model:AbC123',
    'risk-of-being-a-very-long-word-with-dashes',
  ])('%j', (text) => expect(all.value(text, [])).toBe(text))
})

describe('a detector finds', () => {
  it.each([
    ['from 192.168.0.17, port 1', 'from [IP], port 1'],
    ['at fe80::1ff:fe23:4567:890a', 'at [IP]'],
    ['2001:db8:0:0:0:0:2:1', '[IP]'],
    [`key sk-${'aB3'.repeat(8)}.`, 'key [KEY].'],
    [`ghp_${'a1B2'.repeat(9)}`, '[KEY]'],
    ['AKIAIOSFODNN7EXAMPLE', '[KEY]'],
    [`hk_${'Z'.repeat(43)}`, '[KEY]'],
    [`Bearer eyJ${'a'.repeat(30)}.${'b'.repeat(40)}.${'c'.repeat(20)}`, 'Bearer [KEY]'],
    ['x\n-----BEGIN RSA PRIVATE KEY-----\nMIIE\n+/\n-----END RSA PRIVATE KEY-----\ny', 'x\n[KEY]\ny'],
    ['GB82 WEST 1234 5698 7654 32', '[IBAN]'],
  ])('%j', (text, expected) => expect(all.text(text)).toBe(expected))
})

describe('a rule', () => {
  it.each<[Given, string, string]>([
    [{ detector: 'email', how: 'hash' }, 'a@b.io, A@b.io, a@b.io', '[EMAIL:1], [EMAIL:2], [EMAIL:1]'],
    [{ detector: 'card', how: 'last4' }, '4111 1111 1111 1111', '**** **** **** 1111'],
    [{ detector: 'email', how: 'last4' }, 'a@b.io', '******'],
    [{ pattern: 'EMP-[0-9]{4}', label: 'EMPLOYEE' }, 'EMP-1234 and emp-1234', '[EMPLOYEE] and emp-1234'],
    [{ pattern: 'EMP-[0-9]{4}', ignore_case: true }, 'EMP-1234 and emp-1234', '[MASKED] and [MASKED]'],
    [{ names: ['Ann', 'Ann Lee', 'Zoë'] }, 'Ann Lee, Anna, Ann and Zoë', '[NAME], Anna, [NAME] and [NAME]'],
    [{ names: ['ann lee'], ignore_case: true }, 'ANN  LEE’s', 'ANN  LEE’s'],
    [{ names: ['ann lee'], ignore_case: true }, 'ANN  LEE', '[NAME]'],
    [
      { path: 'inputs.user.name' },
      '{"user":{"name":"Ann","n":1},"name":"x"}',
      '{"user":{"name":"[MASKED]","n":1},"name":"x"}',
    ],
    [
      { path: 'inputs.*.n', how: 'stars' },
      '{"a":{"n":1},"b":[{"n":[22]}]}',
      '{"a":{"n":"*"},"b":[{"n":["**"]}]}',
    ],
    [
      { path: 'inputs.user' },
      '{"user":{"a":["x",{"b":"y"}]},"us":"z"}',
      '{"user":{"a":["[MASKED]",{"b":"[MASKED]"}]},"us":"z"}',
    ],
    [
      { path: '**.ssn' },
      '{"a":{"b":{"ssn":"1"}},"q.ssn":"2"}',
      '{"a":{"b":{"ssn":"[MASKED]"}},"q.ssn":"[MASKED]"}',
    ],
  ])('%j: %s', (rule, text, expected) => {
    const seen = new Map<string, number>()
    const masked = setOf(rule).value(text, ['inputs'])
    const short = masked.replace(/:([\da-f]{12})\]/g, (_, hash: string) => {
      if (!seen.has(hash)) seen.set(hash, seen.size + 1)
      return `:${seen.get(hash)}]`
    })
    expect(short).toBe(expected)
  })

  it('that comes first wins, and what two touch is masked whole', () => {
    const set = setOf({ pattern: 'b@c', label: 'FIRST' }, { detector: 'email' })
    expect(set.text('to ab@c.io')).toBe('to [FIRST]')
  })

  it('is counted by each match', () => {
    const counts = [0, 0]
    setOf({ detector: 'email' }, { detector: 'ip' }).value(
      '{"a":"a@b.io c@d.io","b":"1.2.3.4"}',
      [],
      (at) => counts[at]!++,
    )
    expect(counts).toEqual([2, 1])
  })

  it.each<[Given, RegExp]>([
    [{ pattern: '(a' }, /missing closing/],
    [{ pattern: '(?=a)b' }, /invalid/],
    [{ pattern: 'a*' }, /empty text/],
    [{ pattern: '((a{0,100}){0,10}){0,10}' }, /large|repeat/],
    [{ path: 'a..b' }, /path/],
    [{ path: 'a.**' }, /path/],
  ])('that can not be used says why: %j', (rule, why) => expect(ruleProblem(ruleOf(rule))).toMatch(why))

  it.each<object>([
    {},
    { detector: 'email', pattern: 'a' },
    { pattern: 'a'.repeat(501) },
    { names: [] },
    { names: ['x'] },
  ])('that is none is refused: %j', (given) =>
    expect(MaskRule.safeParse({ name: 'r', ...given }).success).toBe(false),
  )
})

describe('JSON', () => {
  it('keeps its escapes, its numbers and its spaces where nothing is masked', () => {
    const text =
      '{ "a" : "x\\nj@b.io\\t\\u00e9", "k@b.io": 1.0, "n": 4111111111111111, "b":1e2 ,"c":"\\u00e9" }'
    expect(all.json(text)).toBe(
      '{ "a" : "x\\n[EMAIL]\\té", "[EMAIL]": 1.0, "n": "[CARD]", "b":1e2 ,"c":"\\u00e9" }',
    )
  })

  it('keeps its measures whatever a pattern says of digits', () => {
    const set = setOf({ pattern: '[0-9]{6}' }, { detector: 'card' })
    const text = '{"a":0.8333333333333334,"b":123456,"c":"123456","d":4111111111111111}'
    expect(set.json(text)).toBe('{"a":0.8333333333333334,"b":123456,"c":"[MASKED]","d":"[CARD]"}')
  })

  it('within a string stays JSON', () => {
    const inner = JSON.stringify({ to: 'a\nb@c.io', n: 4111111111111111 })
    const masked = all.json(JSON.stringify({ inner }))!
    expect(JSON.parse(JSON.parse(masked).inner)).toEqual({ to: 'a\n[EMAIL]', n: '[CARD]' })
  })

  it('may write any character by its number', () => {
    expect(all.value('{"a":"ann\\u0040b.io \\u002B493012345678"}', [])).toBe('{"a":"[EMAIL] [PHONE]"}')
  })

  it('of many lines is masked line by line', () => {
    expect(all.value('{"a":"x@y.io"}\n{"a":"z"}\n', [])).toBe('{"a":"[EMAIL]"}\n{"a":"z"}\n')
  })

  it.each(['{', '{"a"', '["a', "{'a': 'x@y.io'}", '[INFO] mail', '{"a":"\\x"}', '[ann]'])(
    'is none of these: %s',
    (text) => {
      expect(setOf({ path: 'a.b' }).json(text)).toBe(undefined)
      expect(all.value(text, [])).toBe(text.replace('x@y.io', '[EMAIL]'))
    },
  )

  it('only below some keys is masked there', () => {
    const text = '{"id":"a@b.io","inputs":{"id":"a@b.io","x":["a@b.io"]},"y":"a@b.io"}'
    expect(all.json(text, undefined, [], new Set(['inputs']))).toBe(
      '{"id":"a@b.io","inputs":{"id":"[EMAIL]","x":["[EMAIL]"]},"y":"a@b.io"}',
    )
  })

  it('stays JSON of the same shape, and no match stays in it, whatever is in it', () => {
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
      'u',
      '{"',
      '[',
    )
    const text = fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join(''))
    const value = fc.letrec((tie) => ({
      any: fc.oneof(
        { depthSize: 'small' },
        text,
        // A longer one may be a card's, which becomes a text.
        fc.double({ noNaN: true }).filter((number) => Math.abs(number) < 1e11 || Math.abs(number) >= 1e21),
        fc.constant(null),
        fc.array(tie('any'), { maxLength: 3 }),
        fc.dictionary(fc.string({ maxLength: 3 }), tie('any'), { maxKeys: 3 }),
      ),
    })).any
    fc.assert(
      fc.property(value, (one) => {
        const before = JSON.stringify(one)
        const masked = all.json(before)!
        expect(masked).not.toMatch(/a@b\.io/)
        expect(shapeOf(JSON.parse(masked))).toEqual(shapeOf(JSON.parse(before)))
      }),
    )
  })
})

/** A value without its texts. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shapeOf)
  if (typeof value !== 'object' || value === null) return typeof value
  return Object.entries(value).map(([key, one]) => [key, shapeOf(one)])
}

it('takes time by the length of a text, whatever is in it', () => {
  const texts = [
    'a',
    '1',
    '@',
    'a@',
    '1-',
    '+1 ',
    'A1',
    '(555) ',
    '"\\',
    '-----BEGIN ',
    '1.',
    'a:',
    'eyJ',
    'sk-',
  ].map((piece) => piece.repeat(200_000))
  const before = process.cpuUsage().user
  for (const text of texts) all.text(text)
  expect(process.cpuUsage(undefined).user - before).toBeLessThan(20_000_000)
})
