import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Kind } from '../../../../domain/calls/kinds'
import type { Facts } from './facts'
import { type Graph, graphOf, layoutOf } from './graph'
import { type Span, treeOf } from './tree'

const span = (id: string, parent: string | null, name: string, failed = false): Span => ({
  ...{ id, parent, name, failed, start: Number(id), end: Number(id) + 1 },
})
const fact = (kind: Kind, model?: string): Facts => ({ kind, scores: [], ...(model && { model }) })
const shown = ({ nodes, edges }: Graph) =>
  edges.map(({ from, to, count }) => `${nodes[from]!.name} > ${nodes[to]!.name}: ${count}`)

const spans = [
  span('0', null, 'main'),
  span('1', '0', 'invoke_agent Weather'),
  span('2', '1', 'loop'),
  span('3', '2', 'chat'),
  span('4', '2', 'execute_tool rain', true),
  span('5', '4', 'chat'),
  span('6', '2', 'chat'),
]
const facts = new Map([
  ['1', fact('agent')],
  ['3', fact('model', 'gpt-4o')],
  ['4', fact('tool')],
  ['5', fact('model', 'gpt-4o')],
  ['6', fact('model', 'gpt-4o')],
])

it('agents, models and tools call each other through what is between them', () => {
  const graph = graphOf(treeOf(spans), facts)
  expect(shown(graph)).toEqual([
    'main > Weather: 1',
    'Weather > gpt-4o: 2',
    'Weather > rain: 1',
    'rain > gpt-4o: 1',
  ])
  expect(graph.nodes.find(({ name }) => name === 'rain')).toMatchObject({ kind: 'tool', failed: 1 })
  expect(layoutOf(graph).map(({ layer }) => layer)).toEqual([0, 1, 2, 2])
})

it('a step that failed is a node', () => {
  const graph = graphOf(
    treeOf([...spans.slice(0, 2), span('2', '1', 'loop', true), ...spans.slice(3)]),
    facts,
  )
  expect(shown(graph)).toContain('Weather > loop: 1')
  expect(shown(graph)).toContain('loop > gpt-4o: 2')
  expect(graph.nodes.find(({ name }) => name === 'loop')).toMatchObject({ kind: 'step', failed: 1 })
})

it('of more nodes than are shown, those that failed are', () => {
  const many = Array.from({ length: 100 }, (_, i) => span(String(i + 1), '0', `n${i}`, i === 99))
  const graph = graphOf(
    treeOf([
      span('0', null, 'main'),
      ...many,
      ...many.slice(0, 99).map((one) => ({ ...one, id: `${one.id}0000` })),
    ]),
    new Map(),
  )
  expect(graph.nodes.find(({ name }) => name === 'n99')).toMatchObject({ failed: 1 })
})

it('where no kind is known, all calls are nodes', () =>
  expect(
    shown(
      graphOf(treeOf([span('0', null, 'main'), span('1', '0', 'plan'), span('2', '1', 'do')]), new Map()),
    ),
  ).toEqual(['main > plan: 1', 'plan > do: 1']))

it('every call of a node counts once, edges are calls with a caller, and no two nodes stand in one place', () => {
  const kind = fc.constantFrom<Kind>('agent', 'model', 'tool', 'step')
  const one = fc.record({ parent: fc.nat(9), name: fc.nat(70), kind })
  fc.assert(
    fc.property(fc.array(one, { maxLength: 120 }), (raw) => {
      const tree = treeOf(
        raw.map(({ parent, name }, i) =>
          span(String(i), i === 0 ? null : String(i - 1 - (parent % i)), `n${name}`),
        ),
      )
      const known = new Map(raw.map((given, i) => [String(i), fact(given.kind)]))
      const graph = graphOf(tree, known)
      const places = graph.nodes.flatMap((node) => node.places)
      expect(new Set(places).size).toBe(places.length)
      const isPlain = raw.every((given) => given.kind === 'step')
      const wanted = raw.filter((given, i) => given.kind !== 'step' || isPlain || i === 0)
      expect(places).toHaveLength(wanted.length)
      const calls = graph.edges.reduce((sum, { count }) => sum + count, 0)
      expect(calls).toBe(Math.max(0, places.length - 1))
      expect(graph.nodes.length).toBeLessThanOrEqual(40)
      const layout = layoutOf(graph).map(({ layer, row }) => `${layer} ${row}`)
      expect(new Set(layout).size).toBe(graph.nodes.length)
    }),
  )
})
