import { describe, expect, it } from 'vitest'
import { asCaller, currentCaller } from '../../platform/fairness/caller.js'
import type { CallChange } from '../merge/call-change.js'
import { ReconcileQueue } from './reconcile-queue.js'
import { tenantOf } from './tenant.js'

/** A queue whose work ends when it is told to, and the order in which it began. */
function started() {
  const order: string[] = []
  const ends = new Map<string, () => void>()
  const held = (name: string) => () => {
    order.push(name)
    return new Promise<void>((resolve) => ends.set(name, resolve))
  }
  const queue = new ReconcileQueue(async (callChanges) => {
    await held(`reconcile ${callChanges.map(({ projectId }) => projectId).join(' ')}`)()
    return { unpaired: new Set() }
  })
  const change = (project: string, name: string) => void queue.change(project, tenantOf(project), held(name))
  const reconcile = (...projects: string[]) => void queue.reconcile(projects.map(callChange))
  const end = async (name: string) => {
    ends.get(name)!()
    await settled()
  }
  return { order, change, reconcile, end }
}

const callChange = (projectId: string): CallChange => ({
  ...{ kind: 'end', projectId, id: 'c', traceId: 't', startedAt: 0, ver: 1 },
})
const settled = () => new Promise((resolve) => setImmediate(resolve))

describe('changes', () => {
  it("of one tenant wait for at most one of another's, however many wait", async () => {
    const { order, change, end } = started()
    for (let i = 0; i < 20; i++)
      for (const project of ['a', 'b', 'c']) change(`flood/${project}`, `flood ${project}${i}`)
    await settled()
    change('acme/one', 'acme')
    await settled()
    // One that a flooder never has.
    expect(order).toEqual(['flood a0', 'flood b0', 'acme'])
    change('other/one', 'other 1')
    change('other/one', 'other 2')
    await end('flood a0')
    await end('flood b0')
    expect(order.slice(3)).toEqual(['flood c0', 'other 1'])
  })

  it('of one project come one after the other, in the order they were asked for', async () => {
    const { order, change, end } = started()
    for (const name of ['1', '2', '3']) change('acme/one', name)
    await settled()
    expect(order).toEqual(['1'])
    await end('1')
    await end('2')
    expect(order).toEqual(['1', '2', '3'])
  })

  it('that wait are charged to their own callers, whoever starts them', async () => {
    const queue = new ReconcileQueue(async () => ({ unpaired: new Set() }))
    const charged: unknown[] = []
    let over = () => {}
    const first = () => new Promise<void>((resolve) => (over = resolve))
    const note = async () => void charged.push(currentCaller())
    asCaller('acme/first', () => void queue.change('acme/one', tenantOf('acme/one'), first))
    asCaller('acme/second', () => void queue.change('acme/one', tenantOf('acme/one'), note))
    await settled()
    over()
    await settled()
    expect(charged).toEqual(['acme/second'])
  })
})

describe('second steps', () => {
  it("don't wait for changes in another project", async () => {
    const { order, change, reconcile } = started()
    for (let i = 0; i < 20; i++) change('flood/a', `flood ${i}`)
    await settled()
    reconcile('acme/one')
    await settled()
    expect(order).toEqual(['flood 0', 'reconcile acme/one'])
  })

  it('wait for the change in their own project, and come before the next one', async () => {
    const { order, change, reconcile, end } = started()
    for (const name of ['1', '2']) change('acme/one', name)
    await settled()
    reconcile('acme/one')
    await settled()
    await end('1')
    expect(order).toEqual(['1', 'reconcile acme/one'])
    await end('reconcile acme/one')
    expect(order).toEqual(['1', 'reconcile acme/one', '2'])
  })

  it('that come together are one group; changes that wait come between two', async () => {
    const { order, change, reconcile, end } = started()
    reconcile('acme/one')
    reconcile('acme/two')
    await settled()
    reconcile('acme/one')
    change('acme/one', 'change')
    await settled()
    expect(order).toEqual(['reconcile acme/one acme/two'])
    await end('reconcile acme/one acme/two')
    expect(order.at(-1)).toBe('change')
    await end('change')
    expect(order.at(-1)).toBe('reconcile acme/one')
  })
})
