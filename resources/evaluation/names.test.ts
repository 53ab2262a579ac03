import { describe, expect, it } from 'vitest'
import { shortName } from './names.js'

describe('names in refs', () => {
  it.each([
    ['weave:///acme/one/op/Evaluation.evaluate:abc', 'Evaluation.evaluate'],
    ['weave:///acme/one/object/my%20model:v1/attr/x', 'my model'],
    ['weave:///acme/one/object/50%:v1', '50%'],
    ['plain', 'plain'],
    ['weave:///acme/one/call/x', 'weave:///acme/one/call/x'],
  ])('%s', (ref, name) => expect(shortName(ref)).toBe(name))
})
