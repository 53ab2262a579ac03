/** That images of others are held by their digest, wherever one is named. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { parse } from 'yaml'
import { root } from './helm/testing/render.js'

const text = (path: string) => readFileSync(join(root, 'infra', path), 'utf8')
const DIGEST = /:[\w.-]+@sha256:[0-9a-f]{64}$/

it.each(readdirSync(join(root, 'infra/docker')).filter((name) => name.endsWith('Dockerfile')))(
  'the bases of %s',
  (name) => {
    const lines = text(`docker/${name}`)
    const stages = new Set([...lines.matchAll(/^FROM .* AS (\w+)$/gm)].map(([, stage]) => stage))
    const defaults = new Map([...lines.matchAll(/^ARG (\w+)=(.*)$/gm)].map(([, arg, value]) => [arg, value]))
    const bases = [...lines.matchAll(/^FROM (\S+)/gm)]
      .map(([, base]) => defaults.get(/^\$\{(\w+)\}$/.exec(base!)?.[1]) ?? base!)
      .filter((base) => !stages.has(base))
    expect(bases.length).toBeGreaterThan(0)
    for (const base of bases) expect(base).toMatch(DIGEST)
  },
)

it('the stores of the chart', () => {
  const values = parse(text('helm/heddle/values.yaml')) as Record<string, { image: string }>
  for (const store of ['clickhouse', 'redis']) expect(values[store]?.image).toMatch(DIGEST)
})
