import { describe, expect, it } from 'vitest'
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
  const queue = new ReconcileQueue(async (touches) => {
    await held(`settle ${touches.map(({ projectId }) => projectId).join(' ')}`)()
    return { unpaired: new Set() }
  })
  const change = (project: string, name: string) => void queue.change(project, tenantOf(project), held(name))
  const settle = (...projects: string[]) => void queue.settle(projects.map(touch))
  const end = async (name: string) => {
    ends.get(name)!()
    await settled()
  }
  return { order, change, settle, end }
}

const touch = (projectId: string): CallChange => ({
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
})

describe('second steps', () => {
  it("don't wait for changes in another project", async () => {
    const { order, change, settle } = started()
    for (let i = 0; i < 20; i++) change('flood/a', `flood ${i}`)
    await settled()
    settle('acme/one')
    await settled()
    expect(order).toEqual(['flood 0', 'settle acme/one'])
  })

  it('wait for the change in their own project, and come before the next one', async () => {
    const { order, change, settle, end } = started()
    for (const name of ['1', '2']) change('acme/one', name)
    await settled()
    settle('acme/one')
    await settled()
    await end('1')
    expect(order).toEqual(['1', 'settle acme/one'])
    await end('settle acme/one')
    expect(order).toEqual(['1', 'settle acme/one', '2'])
  })

  it('that come together are one group; changes that wait come between two', async () => {
    const { order, change, settle, end } = started()
    settle('acme/one')
    settle('acme/two')
    await settled()
    settle('acme/one')
    change('acme/one', 'change')
    await settled()
    expect(order).toEqual(['settle acme/one acme/two'])
    await end('settle acme/one acme/two')
    expect(order.at(-1)).toBe('change')
    await end('change')
    expect(order.at(-1)).toBe('settle acme/one')
  })
})
