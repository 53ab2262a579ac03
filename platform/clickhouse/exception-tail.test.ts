import { ClickHouseError } from '@clickhouse/client'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { withoutException } from './exception-tail.js'

const TAG = 'PU1FNUFH98'
const message =
  'Code: 159. DB::Exception: Timeout exceeded: elapsed 1.0 seconds. (TIMEOUT_EXCEEDED) (version 26.7.2.1)'
const tail = `\r\n__exception__\r\n${TAG}\r\n${message}\n${message.length + 1} ${TAG}\r\n__exception__\r\n`

async function* cut(text: string, sizes: readonly number[], breaks: boolean) {
  const bytes = Buffer.from(text)
  let at = 0
  for (let i = 0; at < bytes.length; i++) {
    const size = sizes[i % sizes.length]!
    yield bytes.subarray(at, at + size)
    at += size
  }
  if (breaks) throw new Error('aborted')
}

async function read(chunks: AsyncIterable<Uint8Array>) {
  let text = ''
  try {
    for await (const chunk of chunks) text += Buffer.from(chunk).toString('latin1')
    return { text, error: undefined }
  } catch (error) {
    return { text, error }
  }
}

const sizes = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 5 })
const body = fc.string({ unit: fc.constantFrom('a', '\r', '\n', '_', '\r\n__exception__\r\n', 'P') })

it('throws the exception and gives what came before it, however it is cut', () =>
  fc.assert(
    fc.asyncProperty(body, sizes, fc.boolean(), async (before, pieces, breaks) => {
      const { text, error } = await read(withoutException(cut(before + tail, pieces, breaks), TAG))
      expect(text).toBe(before)
      expect(error).toBeInstanceOf(ClickHouseError)
      expect((error as ClickHouseError).type).toBe('TIMEOUT_EXCEEDED')
    }),
  ))

it('passes everything else on', () =>
  fc.assert(
    fc.asyncProperty(body, sizes, fc.boolean(), async (whole, pieces, breaks) => {
      const { text, error } = await read(withoutException(cut(whole, pieces, breaks), TAG))
      if (!breaks) expect(text).toBe(whole)
      expect(whole.startsWith(text)).toBe(true)
      expect(error === undefined).toBe(!breaks)
    }),
  ))
