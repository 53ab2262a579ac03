import { expect, it } from 'vitest'
import { Unscored } from './unscored.js'

const trial = (example: unknown, exception = '') => ({ inputs: JSON.stringify({ example }), exception })

it('is empty if every row was scored', () => {
  const unscored = new Unscored()
  unscored.add(trial('weave:///e/p/object/rows:1/attr/rows/id/abc'))
  expect(unscored.message).toBe('')
})

it('names rows by digest or content, and the reason', () => {
  const unscored = new Unscored()
  unscored.add(trial('weave:///e/p/object/rows:1/attr/rows/id/abc', 'NO_NODE: it is away.'))
  unscored.add(trial({ question: 'x' }, 'LOST: gone.'))
  unscored.add(trial('weave:///e/p/object/rows:1/attr/rows/id/def'))
  expect(unscored.message).toMatch(
    /^2 of 3 rows have no score, .*: abc, \{"question":"x"\}\. NO_NODE: it is away\. Run/,
  )
})

it('names only some rows of a long list', () => {
  const unscored = new Unscored()
  for (let n = 0; n < 500; n++) unscored.add(trial(`weave:///e/p/object/rows:1/attr/rows/id/d${n}`, 'X: y.'))
  expect(unscored.message).toContain(': d0, d1, d2, d3, d4, d5, d6, d7, d8, d9 and 490 more. ')
})
