import { expect, it } from 'vitest'
import { tree } from './tree.js'

const call = (id: string, parent_id: string | null, from: number, to: number | null, exception?: string) => ({
  ...{ id, parent_id, op_name: `op_${id}`, exception: exception ?? null },
  started_at: new Date(from).toISOString(),
  ended_at: to === null ? null : new Date(to).toISOString(),
})

it('a trace is a tree, children in the order in which they began', () => {
  const calls = [
    call('c', 'a', 30, 40, 'ValueError: no'),
    call('a', null, 0, 1840),
    call('b', 'a', 10, 20),
    call('d', 'b', 12, null),
    call('e', 'not there', 50, 51),
  ]
  expect(tree(calls)).toMatchInlineSnapshot(`
    "op_a      1,840 ms
    ├ op_b       10 ms
    │ └ op_d   running
    └ op_c       10 ms  ValueError: no
    op_e          1 ms
    "
  `)
})
