/** That compose.yaml holds together: what services are given is read, what they name is there, nobody is exposed. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { processes } from '../../platform/config/settings.js'
import { nodeSettings } from '../helm/testing/node-settings.js'

interface Service {
  image?: string
  build?: { context: string; dockerfile: string }
  command?: string[]
  environment?: Record<string, string>
  depends_on?: Record<string, object> | string[]
  volumes?: string[]
  ports?: string[]
  read_only?: boolean
  cap_drop?: string[]
  healthcheck?: { test?: string[]; disable?: boolean }
}

const here = import.meta.dirname
const text = readFileSync(join(here, 'compose.yaml'), 'utf8')
const { services, volumes } = parse(text, { merge: true }) as {
  services: Record<string, Service>
  volumes: Record<string, object>
}
const all = Object.entries(services)
const ours = all.filter(([, { image }]) => image?.startsWith('heddle/'))
const known: Record<string, Record<string, { variable: string; required?: boolean }>> = processes
const camel = (name: string) => name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())

describe('compose.yaml', () => {
  it.each(ours)('gives %s what it reads', (_, { command = [], environment = {} }) => {
    const [role = ''] = command
    const process = known[role === 'migrate' ? 'tool' : camel(role)]
    const settings =
      process === undefined ? nodeSettings : new Set(Object.values(process).map(({ variable }) => variable))
    expect(Object.keys(environment).filter((name) => !settings.has(name))).toEqual([])
    if (process?.clickhouseUrl && role !== 'migrate') expect(environment).toHaveProperty('CLICKHOUSE_URL')
  })

  it('has every role', () => {
    const roles = [
      'tracing',
      'ingest',
      'training-api',
      'inference-worker',
      'trainer-worker',
      'evaluation-worker',
    ]
    for (const role of roles) expect(services[role]?.command).toEqual([role])
  })

  it('names services, volumes and files that are there', () => {
    for (const [name, { depends_on = {}, volumes: mounts = [], build }] of all) {
      for (const other of Array.isArray(depends_on) ? depends_on : Object.keys(depends_on))
        expect(services, name).toHaveProperty(other)
      for (const mount of mounts) {
        const [source = ''] = mount.split(':')
        if (source.startsWith('.')) expect(existsSync(join(here, source)), mount).toBe(true)
        else expect(volumes, name).toHaveProperty(source)
      }
      if (build) expect(existsSync(join(here, build.context, build.dockerfile)), name).toBe(true)
    }
  })

  it('names hosts that are services', () => {
    const hosts = [...text.matchAll(/(?:https?:\/\/|@|: )([a-z][a-z-]+):\d{4,5}\b/g)].map(([, host]) => host)
    expect(hosts.length).toBeGreaterThan(6)
    for (const host of hosts) expect(Object.keys(services)).toContain(host)
  })

  it('asks for every secret that .env.example lists, and holds none', () => {
    const listed = [...readFileSync(join(here, '.env.example'), 'utf8').matchAll(/^([A-Z_]+)=(.*)$/gm)]
    const used = new Set([...text.matchAll(/\$\{([A-Z_]+)/g)].map(([, name]) => name))
    expect(listed.map(([, name]) => name).sort()).toEqual([...used].sort())
    for (const [, , value] of listed) expect(value).toBe('')
  })

  it('opens ports to this machine alone, and gives our containers no more than they need', () => {
    for (const [name, { ports = [] }] of all)
      for (const port of ports) expect(port, name).toMatch(/^127\.0\.0\.1:/)
    for (const [name, { read_only, cap_drop, command }] of ours)
      if (command?.[0] !== 'make-demo-model')
        expect([name, read_only, cap_drop]).toEqual([name, true, ['ALL']])
  })

  it('bounds what ClickHouse writes about itself, table by table as the chart does', () => {
    const written = readFileSync(join(here, 'clickhouse.xml'), 'utf8')
    const chart = readFileSync(join(here, '../helm/heddle/charts/clickhouse/templates/config.yaml'), 'utf8')
    const tables = [...chart.matchAll(/"(\w+_log)"/g)].map(([, name]) => name)
    expect(tables.length).toBeGreaterThan(8)
    for (const name of tables) expect(written).toMatch(new RegExp(`<${name}( remove="1"/>|><ttl>)`))
  })

  it('keeps images to a version: ours by tag, those of others by digest', () => {
    for (const [name, { image }] of all)
      expect(image, name).toMatch(
        image?.startsWith('heddle/') ? /:(?!latest)[\w.-]+$/ : /:[\w.-]+@sha256:[0-9a-f]{64}$/,
      )
  })

  it('lets Prometheus look at every role', () => {
    const { scrape_configs: jobs } = parse(readFileSync(join(here, 'prometheus.yaml'), 'utf8')) as {
      scrape_configs: { static_configs: { targets: string[] }[] }[]
    }
    for (const target of jobs.flatMap((job) => job.static_configs.flatMap(({ targets }) => targets)))
      expect(Object.keys(services)).toContain(target.split(':')[0])
  })
})
