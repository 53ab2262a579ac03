/** What the doctor says of workers and nodes, by what they state. */
import { describe, expect, it } from 'vitest'
import type { Announcement } from '../../domain/chat/node-announcement.js'
import type { TrainerAnnouncement } from '../../domain/training/worker-announcement.js'
import { apart, clockSaid } from './clock.js'
import { diskSaid } from './store.js'
import { type WorkerState, workerFindingsOf } from './workers.js'

const now = 1_800_000_000_000
const node = (address: string, at = now): Announcement => ({
  ...{ worker: 'w', address, at, up: true, since: now - 60_000, node: address, model: 'base' },
  ...{ engine: 'torch', device: 'cuda', contextLength: 2048, slots: 8, queueLimit: 8, maxAdapters: 8 },
  ...{ priorities: true, unsupported: [], images: false, running: 0, waiting: 0, adapters: [] },
  ...{ memoryBytes: 0, tokensPerSecond: null, firstTokenMs: null },
})
const trainer = (address: string, model: string): TrainerAnnouncement => ({
  ...{ worker: 't', at: now, running: 0 },
  nodes: [{ address, model, devices: 1, job: '', sharesWithServing: true }],
})
const state = (more: Partial<WorkerState> = {}): WorkerState => ({
  ...{ now, nodes: [], trainers: [] },
  workers: { inference: 1, trainer: 1, evaluation: 1 },
  waiting: { inference: 0, trainer: 0, evaluation: 0 },
  ...more,
})
const lines = (all: WorkerState, nodes?: string, trainNodes?: string) =>
  workerFindingsOf(all, { nodes, trainNodes }).map(({ name, state, text }) => `${state} ${name}: ${text}`)

describe('workers', () => {
  it('that are missing matter once something waits', () => {
    const workers = { inference: 0, trainer: 0, evaluation: undefined }
    const waiting = { inference: 0, trainer: 2, evaluation: 3 }
    expect(lines(state({ workers, waiting })).slice(0, 3)).toEqual([
      'warn inference workers: none',
      'fail trainer workers: none, and 2 in the queue',
      'warn evaluation workers: unknown, and 3 in the queue',
    ])
  })

  it('that are there are counted, and what waits for them', () => {
    const waiting = { inference: 5, trainer: 0, evaluation: 0 }
    expect(lines(state({ waiting }))[0]).toBe('ok inference workers: 1, and 5 in the queue')
  })
})

describe('nodes', () => {
  const of = (all: WorkerState, nodes?: string, trainNodes?: string) => lines(all, nodes, trainNodes).slice(3)

  it.each([
    ['none', state(), undefined, undefined, ['warn node: none found']],
    [
      'up',
      state({ nodes: [node('a:1')] }),
      'a:1',
      undefined,
      ['ok node: a:1 serves base on cuda, does not train'],
    ],
    [
      'up and training',
      state({ nodes: [node('a:1')], trainers: [trainer('a:1', 'base')] }),
      undefined,
      undefined,
      ['ok node: a:1 serves base on cuda and trains'],
    ],
    [
      'one of two gone',
      state({ nodes: [node('a:1'), node('b:1', now - 30_000)] }),
      'a:1, b:1',
      undefined,
      ['ok node: a:1 serves base on cuda, does not train', 'fail node: b:1 is not up, last seen 30 s ago'],
    ],
    ['never there', state(), 'a:1', undefined, ['fail node: a:1 is not up, never seen']],
    [
      'that nobody could tell of',
      state({ workers: { inference: 0, trainer: 1, evaluation: 1 } }),
      'a:1',
      undefined,
      ['warn node: a:1: no worker announces it'],
    ],
    [
      'that trains alone',
      state({ nodes: [node('a:1')], trainers: [trainer('t:1', 'base')] }),
      'a:1',
      't:1',
      ['ok node: a:1 serves base on cuda, does not train', 'ok node: t:1 trains base'],
    ],
    [
      'that should train',
      state({ trainers: [trainer('t:1', '')] }),
      '',
      't:1',
      ['fail node: t:1 is not up, never seen'],
    ],
    [
      'forgotten',
      state({ nodes: [node('a:1', now - 7_200_000)] }),
      undefined,
      undefined,
      ['warn node: none found'],
    ],
  ])('%s', (_, all, nodes, trainNodes, expected) => {
    expect(of(all, nodes, trainNodes)).toEqual(expected)
  })
})

describe('clocks', () => {
  it.each([
    [10, 5, 20, -5],
    [10, 15, 20, 0],
    [10, 25, 20, 5],
  ])('asked from %d, said %d, answered at %d: apart by %d', (before, other, after, ms) => {
    expect(apart(before, other, after)).toBe(ms)
  })

  it.each([
    [0, 'ok', 'in step'],
    [1500, 'warn', '1.5 s ahead'],
    [-3000, 'warn', '3.0 s behind'],
    [60_000, 'fail', '60.0 s ahead'],
  ])('%d ms: %s', (ms, state, text) => {
    expect(clockSaid('clock', ms)).toMatchObject({ state, text: expect.stringContaining(text) })
  })
})

it.each([
  [500, 1000, 'ok'],
  [9, 100, 'warn'],
  [1, 100, 'fail'],
  [0.5, 4, 'fail'],
  [0.05, 4, 'fail'],
  [500, 10_000, 'ok'],
])('a disk with %d of %d GiB free: %s', (free, size, state) => {
  expect(diskSaid(free * 2 ** 30, size * 2 ** 30).state).toBe(state)
})
