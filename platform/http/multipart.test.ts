import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { boundaryOf, FormError, parseMultipart } from './multipart.js'

const form = (...lines: string[]) => Buffer.from(lines.join('\r\n'))
const field = (name: string, value: string) => [
  '--B',
  `Content-Disposition: form-data; name="${name}"`,
  '',
  value,
]
const texts = (body: Uint8Array, boundary = 'B') =>
  parseMultipart(body, boundary).map(({ name, filename, content }) => [
    name,
    filename,
    Buffer.from(content).toString(),
  ])

describe('boundaries', () => {
  it.each([
    ['multipart/form-data; boundary=abc', 'abc'],
    ['Multipart/Form-Data;boundary="a b"; charset=utf-8', 'a b'],
    ['multipart/form-data; charset=utf-8; Boundary=----x7', '----x7'],
  ])('%s', (header, boundary) => expect(boundaryOf(header)).toBe(boundary))

  it.each(['', 'application/json', 'multipart/form-data', 'multipart/form-data; boundary='])(
    '"%s" has none',
    (header) => expect(() => boundaryOf(header)).toThrow(FormError),
  )
})

describe('forms', () => {
  it.each([
    [
      'fields',
      form(...field('a', '1'), ...field('b', ''), '--B--', ''),
      [
        ['a', undefined, '1'],
        ['b', undefined, ''],
      ],
    ],
    ['nothing but the end', form('--B--'), []],
    ['text before the first boundary', form('hello', ...field('a', '1'), '--B--'), [['a', undefined, '1']]],
    ['text after the last', form(...field('a', '1'), '--B--', 'and more'), [['a', undefined, '1']]],
    [
      'spaces behind a boundary',
      form('--B \t', ...field('a', '1').slice(1), '--B--'),
      [['a', undefined, '1']],
    ],
    ['line breaks inside', form(...field('a', '\r\n--b\r\n-'), '--B--'), [['a', undefined, '\r\n--b\r\n-']]],
    [
      'a file',
      form(
        '--B',
        'content-disposition:form-data; filename="x\\"y.py"; name=file',
        'Content-Type: a/b',
        '',
        'z',
        '--B--',
      ),
      [['file', 'x"y.py', 'z']],
    ],
    [
      'a name beyond ASCII',
      form(
        '--B',
        `Content-Disposition: form-data; name="f"; filename="?"; filename*=UTF-8''%C3%A9`,
        '',
        '',
        '--B--',
      ),
      [['f', 'é', '']],
    ],
    [
      'a name with a semicolon',
      form('--B', 'Content-Disposition: form-data; name="a;b"', '', '1', '--B--'),
      [['a;b', undefined, '1']],
    ],
  ])('with %s', (_what, body, expected) => expect(texts(body)).toEqual(expected))

  it.each([
    ['nothing', form(''), 'its boundary is not in it'],
    ['another boundary', form('--C--'), 'its boundary is not in it'],
    ['no end', form(...field('a', '1')), 'it is cut off: the closing boundary is missing'],
    ['no end of a boundary', form('--B'), 'it is cut off in a boundary'],
    ['something behind a boundary', form('--Bx', ''), 'a boundary is not followed by a line break'],
    [
      'no empty line',
      form('--B', 'Content-Disposition: form-data; name="a"', '--B--'),
      'a part has no empty line after its headers',
    ],
    ['no name', form('--B', 'Content-Disposition: form-data', '', '1', '--B--'), 'a part has no name'],
    ['no headers', form('--B', '', '1', '--B--'), 'a part has no name'],
    [
      'a transfer encoding',
      form(
        '--B',
        'Content-Disposition: form-data; name="a"',
        'Content-Transfer-Encoding: base64',
        '',
        '1',
        '--B--',
      ),
      'a part has a transfer encoding',
    ],
    [
      'too many parts',
      form(...Array.from({ length: 65 }, () => field('a', '1')).flat(), '--B--'),
      'it has more than 64 parts',
    ],
    [
      'long headers',
      form('--B', `x: ${'y'.repeat(20_000)}`, ...field('a', '1').slice(1), '--B--'),
      'the headers of a part are too long',
    ],
  ])('with %s are refused', (_what, body, problem) => expect(() => texts(body)).toThrow(problem))

  const parts = fc.array(
    fc.record({
      name: fc.stringMatching(/^[a-z_]{1,8}$/),
      filename: fc.option(fc.stringMatching(/^[\w. é😀-]{1,12}$/u), { nil: undefined }),
      content: fc.oneof(fc.uint8Array({ maxLength: 300 }), fc.constant(Buffer.from('\r\n--B\r\n--'))),
    }),
    { maxLength: 5 },
  )

  /** As Node's own `FormData` writes it. */
  async function written(fields: { name: string; filename: string | undefined; content: Uint8Array }[]) {
    const data = new FormData()
    for (const { name, filename, content } of fields)
      data.append(name, new Blob([Uint8Array.from(content)]), filename ?? 'blob')
    const response = new Response(data)
    const boundary = boundaryOf(response.headers.get('content-type') ?? '')
    return { body: new Uint8Array(await response.arrayBuffer()), boundary }
  }

  it('made by a client come back byte for byte', () =>
    fc.assert(
      fc.asyncProperty(parts, async (fields) => {
        const { body, boundary } = await written(fields)
        const found = parseMultipart(body, boundary)
        expect(found.map((part) => ({ ...part, content: [...part.content] }))).toEqual(
          fields.map((part) => ({ ...part, filename: part.filename ?? 'blob', content: [...part.content] })),
        )
      }),
    ))

  it('cut off anywhere before the closing boundary are refused', () =>
    fc.assert(
      fc.asyncProperty(parts, fc.double({ min: 0, max: 1, noNaN: true }), async (fields, share) => {
        const { body, boundary } = await written(fields)
        const whole = Buffer.from(body).lastIndexOf(`--${boundary}--`) + boundary.length + 4
        const cut = body.subarray(0, Math.floor(share * (whole - 1)))
        expect(() => parseMultipart(cut, boundary)).toThrow(FormError)
      }),
    ))

  it('with any bytes changed are read or refused, at once', () =>
    fc.assert(
      fc.asyncProperty(
        parts,
        fc.array(fc.tuple(fc.nat(2000), fc.nat(255)), { minLength: 1, maxLength: 8 }),
        async (fields, changes) => {
          const { body, boundary } = await written(fields)
          for (const [at, byte] of changes) body[at % body.length] = byte
          try {
            parseMultipart(body, boundary)
          } catch (error) {
            expect(error).toBeInstanceOf(FormError)
          }
        },
      ),
    ))
})
