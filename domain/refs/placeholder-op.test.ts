import { expect, it } from 'vitest'
import { SPAN_OP_DIGEST } from './placeholder-op.js'

it('the op of a span has the digest that clients know it by', () =>
  expect(SPAN_OP_DIGEST).toBe('XNI9iHYwcffKfuDa2rGjQoIxUOw7cnWmLEiNufRD8RY'))
