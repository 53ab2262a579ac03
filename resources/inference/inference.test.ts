import { describe, expect, it } from 'vitest'
import { analyzerModels, hardware, routerModels } from '../../contract/inference.js'
import { analysisList, hardwareList, type ModelNode, routerList } from './nodes.js'

const model = (id: string, more = {}) => ({
  id,
  chats: true,
  contextLength: 4096,
  adapters: false,
  requestsRunning: 1,
  tokensPerSecond: null,
  timeToFirstTokenMs: null,
  ...more,
})
const node = (id: string, models: ModelNode['models'], more = {}): ModelNode => ({
  id,
  upSince: 1_780_000_000,
  accelerator: 'H200',
  accelerators: 1,
  memoryBytes: 150_000_000_000,
  models,
  ...more,
})
const nodes = [
  node(
    'b',
    [model('tiny', { contextLength: 2048, adapters: true, tokensPerSecond: 10, timeToFirstTokenMs: 20 })],
    {
      upSince: 1_770_000_000,
    },
  ),
  node('a', [
    model('tiny', { tokensPerSecond: 5, timeToFirstTokenMs: 40 }),
    model('base', { contextLength: null }),
  ]),
  node('c', [model('vectors', { chats: false })], { accelerators: 8 }),
]

describe('listings', () => {
  it('of nothing are empty lists', () => {
    for (const list of [routerList, hardwareList, analysisList])
      expect(list([])).toEqual({ object: 'list', data: [] })
  })

  it('of models that can be called', () => {
    const list = routerList(nodes)
    expect(routerModels.answer.parse(list)).toEqual(list)
    expect(list.data).toMatchObject([
      { id: 'base', nodes: 1, context_length: null, created: 1_780_000_000 },
      { id: 'tiny', nodes: 2, context_length: 2048, adapters: true, created: 1_770_000_000 },
    ])
  })

  it('of hardware', () => {
    const list = hardwareList(nodes)
    expect(hardware.answer.parse(list)).toEqual(list)
    expect(list.data).toMatchObject([
      { id: 'H200-x1', count: 1, nodes: 2 },
      { id: 'H200-x8', count: 8, nodes: 1 },
    ])
  })

  it('of how models do', () => {
    const list = analysisList(nodes)
    expect(analyzerModels.answer.parse(list)).toEqual(list)
    expect(list.data).toMatchObject([
      { id: 'base', tokens_per_second: null, time_to_first_token_ms: null, requests_running: 1 },
      { id: 'tiny', tokens_per_second: 15, time_to_first_token_ms: 30, requests_running: 2 },
      { id: 'vectors' },
    ])
  })
})
