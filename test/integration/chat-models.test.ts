import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Store } from '../../platform/clickhouse/store.js'
import { projectIdOf } from '../../platform/ids/project.js'
import { sharedTestEngine, type TestEngine } from '../../platform/testing/engine.js'
import { ScriptedNode } from '../../proto/heddle/node/v1/testing/scripted-node.js'
import { ChatStack } from './testing/chat-stack.js'

const MODEL = '01a1fd3a-cd02-76bb-b03a-a196b7a7db1c'
const [first, second] = ['01a1fd3a-0000-7000-8000-000000000001', '01a1fd3a-0000-7000-8000-000000000002']
const node = new ScriptedNode()
let engine: TestEngine
let store: Store
let stack: ChatStack

beforeAll(async () => {
  engine = await sharedTestEngine()
  store = await engine.migrated('chat_models')
  await addModel('acme/p', MODEL, 'scripted')
  await addModel('other/p', '01a1fd3a-cd02-76bb-b03a-a196b7a7db1d', 'scripted')
  await addModel('acme/q', '01a1fd3a-cd02-76bb-b03a-a196b7a7db1e', 'not-served')
  await addCheckpoint(1, first)
  await addCheckpoint(2, second)
  stack = await ChatStack.start([node], { store })
})
afterAll(async () => {
  await stack?.stop()
  await engine?.stop()
})

function addModel(project: string, id: string, base: string): Promise<void> {
  const [entity, name] = project.split('/')
  const row = { id, entity, project: name, name: 'agent', base_model: base, ver: 1 }
  return store.insertRows('models', [{ project_id: projectIdOf(project), ...row }])
}

function addCheckpoint(step: number, id: string): Promise<void> {
  const row = { id, step, address: `/adapters/${id}`, manifest_sha256: 'ab', ver: 1 }
  return store.insertRows('checkpoints', [{ project_id: projectIdOf('acme/p'), model_id: MODEL, ...row }])
}

describe('a model', () => {
  it.each([
    ['scripted', ''],
    ['artifact:///acme/p/agent', second],
    ['wandb-artifact:///acme/p/agent', second],
    ['artifact:///acme/p/agent:latest', second],
    ['artifact:///acme/p/agent:step1', first],
    ['wandb-artifact:///acme/p/agent:step1', first],
    ['artifact:///acme/p/agent:step0', ''],
    [MODEL, second],
    [`${MODEL}:step1`, first],
  ])('called %s is answered under that name, by its adapter', async (model, adapter) => {
    const answer = await stack.post('hello', { model })
    expect(await answer.json()).toMatchObject({ model, choices: [{ message: { content: 'hello' } }] })
    expect(node.requests.at(-1)?.adapterId).toBe(adapter)
    if (adapter !== '') expect(node.adapters.get(adapter)).toBe(`/adapters/${adapter}`)
  })

  it.each([
    ['that nobody knows', 'gpt-nothing', 404],
    ['that is not trained', 'artifact:///acme/p/nobody', 404],
    ['of a step that is not there', 'artifact:///acme/p/agent:step9', 404],
    ['of a version that is none', 'artifact:///acme/p/agent:v0', 404],
    ['of another tenant', 'artifact:///other/p/agent', 404],
    ['of another tenant, by its id', '01a1fd3a-cd02-76bb-b03a-a196b7a7db1d', 404],
    ['whose base no node serves', 'artifact:///acme/q/agent', 503],
  ])('%s is refused', async (_, model, status) => {
    const answer = await stack.post('hello', { model })
    expect(answer.status).toBe(status)
    expect(await answer.json()).toMatchObject({ error: { code: status, message: expect.any(String) } })
  })

  it('that the node has dropped meanwhile is loaded again', async () => {
    node.adapters.delete(first)
    const answer = await stack.post('hello', { model: 'artifact:///acme/p/agent:step1' })
    expect(answer.status).toBe(200)
    expect(node.adapters.has(first)).toBe(true)
  })

  it('that takes long to load holds up nobody when its caller has left', async () => {
    const small = new ScriptedNode({ slots: 1 })
    let asked = 0
    small.loading = () => {
      asked++
      return new Promise(() => undefined)
    }
    const other = await ChatStack.start([small], { store })
    const leaving = new AbortController()
    const body = { model: 'artifact:///acme/p/agent' }
    const left = [1, 2].map(() =>
      other.post('hello', body, { signal: leaving.signal }).catch(() => undefined),
    )
    await expect.poll(() => asked, { timeout: 10_000 }).toBe(2)
    leaving.abort()
    await Promise.all(left)
    const answer = await other.post('hello', { model: 'scripted' })
    expect(answer.status).toBe(200)
    await other.stop()
  }, 20_000)

  it('that a node loads when it pauses for training is asked of another node', async () => {
    const [pausing, free] = [new ScriptedNode({ slots: 1000 }), new ScriptedNode({ slots: 1 })]
    let asked = 0
    pausing.loading = () => {
      asked++
      return new Promise(() => undefined)
    }
    const other = await ChatStack.start([pausing, free], { store })
    const answer = other.post('hello', { model: 'artifact:///acme/p/agent' })
    await expect.poll(() => asked, { timeout: 10_000 }).toBe(1)
    pausing.paused = true
    pausing.report()
    expect((await answer).status).toBe(200)
    expect(free.requests).toHaveLength(1)
    await other.stop()
  }, 20_000)

  it('is listed while a node serves it', async () => {
    expect((await stack.get('/v1/models')).body).toMatchObject({ object: 'list', data: [{ id: 'scripted' }] })
    expect((await stack.get('/openapi.json')).body).toMatchObject({ openapi: '3.1.0' })
  })

  it.each([
    ['scripted', 'heddle'],
    ['artifact:///acme/p/agent', 'acme'],
    ['artifact:///acme/p/agent:step1', 'acme'],
    [MODEL, 'acme'],
  ])('called %s is found by that name', async (name, owner) => {
    const { data } = (await stack.get('/v1/models')).body as { data: object[] }
    const found = await stack.get(`/v1/models/${encodeURIComponent(name)}`)
    expect(found).toMatchObject({ status: 200, body: { object: 'model', id: name, owned_by: owner } })
    expect(Object.keys(found.body as object)).toEqual(Object.keys(data[0]!))
    if (owner === 'heddle') expect(found.body).toEqual(data[0])
  })

  it.each([
    ['gpt-nothing', 404, 'NotFoundError'],
    ['artifact:///acme/p/agent:step9', 404, 'NotFoundError'],
    ['artifact:///other/p/agent', 404, 'NotFoundError'],
    ['artifact:///acme/q/agent', 503, 'ServiceUnavailableError'],
    ['', 404, 'NotFoundError'],
  ])('called "%s" is not found by that name', async (name, status, type) => {
    expect(await stack.get(`/v1/models/${encodeURIComponent(name)}`)).toMatchObject({
      status,
      body: { error: { type, code: status, message: expect.any(String) } },
    })
  })

  it('and everything is described on a page', async () => {
    const page = await fetch(`${stack.url}/docs`)
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
  })
})
