/** That what containers are given is what the programs read: no setting is misspelt, and none is missing. */
import { describe, expect, it } from 'vitest'
import { processes } from '../../platform/config/settings.js'
import { nodeSettings } from './testing/node-settings.js'
import { type Container, podsOf, render } from './testing/render.js'
import { SETS } from './testing/sets.js'

/** What containers have besides settings of ours. */
const OTHERS = new Set(['REDIS_PASSWORD', 'TZ', 'HOME'])
const known: Record<string, Record<string, { variable: string }>> = processes
const camel = (name: string) => name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())

const containers = Object.values(SETS).flatMap((values) =>
  podsOf(render(values)).flatMap(({ spec }) => [...spec.containers, ...(spec.initContainers ?? [])]),
)

function settingsOf(container: Container): ReadonlySet<string> | undefined {
  // Its command is a shell's, which knows the time.
  if (container.name === 'backup') return variablesOf('backup')
  const [command = ''] = container.args ?? []
  if (container.command || container.name === 'redis') return undefined
  if (command === 'serve') return nodeSettings
  if (command === 'make-demo-model') return new Set()
  return variablesOf(/^(migrate|retention)$/.test(command) ? 'tool' : camel(command))
}

function variablesOf(name: string): ReadonlySet<string> | undefined {
  const process = known[name]
  return process && new Set(Object.values(process).map(({ variable }) => variable))
}

describe('environments', () => {
  it('are read by who gets them', () => {
    const strange = containers.flatMap((container) => {
      const settings = settingsOf(container)
      const names = container.env?.map(({ name }) => name) ?? []
      return settings
        ? names
            .filter((name) => !OTHERS.has(name) && !settings.has(name))
            .map((name) => `${container.name}: ${name}`)
        : []
    })
    expect([...new Set(strange)].sort()).toEqual([])
  })

  it('hold what a role can not do without', () => {
    for (const container of containers) {
      const process = known[camel(container.args?.[0] ?? '')]
      if (!process || container.command) continue
      const names = container.env?.map(({ name }) => name) ?? []
      for (const [key, { variable }] of Object.entries(process)) {
        if (['clickhouseUrl', 'redisUrl', 'nodes'].includes(key) && container.name !== 'tracing')
          expect(names, container.name).toContain(variable)
      }
    }
  })
})
