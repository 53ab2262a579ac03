/** Bodies that can't be read are refused as such. */
import { expect, it } from 'vitest'
import { EVALUATION_WORK } from './bodies.js'

it('a summary with more keys than an object may have', () => {
  const keys = Array.from({ length: 100_001 }, (_, n) => `"${n}":0`)
  const body = Buffer.from(`{"summary":{${keys.join()}}}`)
  expect(() => EVALUATION_WORK.finish(body)).toThrow(
    expect.objectContaining({ code: 'BAD_BODY', status: 400 }),
  )
})
