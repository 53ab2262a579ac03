/** Holds dashboards, alerts and runbooks to the code: no number that no process tells, no alert without a page. */
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { parseSync, Visitor } from 'oxc-parser'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'
import { Metrics } from '../../platform/telemetry/metrics.js'

const DASHBOARDS = 'infra/dashboards'
const ALERTS = 'infra/alerts'
const RUNBOOKS = 'docs/runbooks'
const filesOf = (folder: string, ending: string) =>
  readdirSync(folder).filter((file) => file.endsWith(ending))

const dashboard = z.object({
  uid: z.string(),
  schemaVersion: z.literal(41),
  templating: z.object({
    list: z.array(
      z.object({ name: z.string(), type: z.string(), query: z.unknown(), definition: z.string().optional() }),
    ),
  }),
  panels: z.array(
    z.object({
      id: z.int(),
      title: z.string(),
      datasource: z.object({ type: z.literal('prometheus'), uid: z.literal(`\${datasource}`) }),
      gridPos: z.object({ x: z.int(), y: z.int(), w: z.int(), h: z.int() }),
      targets: z.array(z.object({ refId: z.string(), expr: z.string() })).min(1),
    }),
  ),
})
const alerts = z.object({
  groups: z.array(
    z.strictObject({
      name: z.string(),
      rules: z.array(
        z.strictObject({
          alert: z.string().regex(/^Heddle[A-Za-z]+$/),
          expr: z.string(),
          for: z
            .string()
            .regex(/^\d+[mh]$/)
            .optional(),
          labels: z.strictObject({ severity: z.enum(['critical', 'warning']) }),
          annotations: z.strictObject({ summary: z.string(), runbook: z.string() }),
        }),
      ),
    }),
  ),
})

const dashboards = filesOf(DASHBOARDS, '.json').map((file) => ({
  file,
  board: dashboard.parse(JSON.parse(readFileSync(`${DASHBOARDS}/${file}`, 'utf8'))),
}))
const rules = filesOf(ALERTS, '.yaml').flatMap((file) =>
  alerts.parse(parse(readFileSync(`${ALERTS}/${file}`, 'utf8'))).groups.flatMap((group) => group.rules),
)

/** Those, too, that are not added yet. */
const NOT_IGNORED = ['ls-files', '--cached', '--others', '--exclude-standard', '-z', '*.ts']

/** Names that the sources register: what `Metrics` has by itself, and the literals of each call that adds to it. */
async function registered(): Promise<Map<string, string>> {
  const names = new Map<string, string>()
  for (const { name, type } of await new Metrics().registry.getMetricsAsJSON()) names.set(name, String(type))
  const sources = execFileSync('git', NOT_IGNORED, { encoding: 'utf8' }).split('\0')
  for (const file of sources.filter((one) => one !== '' && !/\.test\.ts$|^(infra|test|bench)\//.test(one))) {
    const text = readFileSync(file, 'utf8')
    if (!/metrics\.\w+\(/.test(text)) continue
    new Visitor({
      CallExpression({ callee, arguments: [first] }) {
        if (callee.type !== 'MemberExpression' || callee.property.type !== 'Identifier') return
        if (callee.object.type !== 'Identifier' || callee.object.name !== 'metrics') return
        const kind = callee.property.name
        if (kind === 'family' && first?.type === 'ObjectExpression') {
          for (const property of first.properties)
            if (property.type === 'Property' && property.key.type === 'Identifier')
              names.set(`heddle_${property.key.name}`, 'gauge')
        } else if (
          ['counter', 'gauge', 'histogram'].includes(kind) &&
          first?.type === 'Literal' &&
          typeof first.value === 'string'
        )
          names.set(`heddle_${first.value}`, kind)
      },
    }).visit(parseSync(file, text).program)
  }
  return names
}

/** Series that a scrape has of these. */
const seriesOf = (names: Map<string, string>) =>
  new Set(
    [...names].flatMap(([name, type]) =>
      type === 'histogram' ? ['_bucket', '_sum', '_count'].map((ending) => name + ending) : [name],
    ),
  )

/** Series that an expression asks for: names that look like ours, and whatever stands before a selector or a range. */
const askedBy = (expression: string) => [
  ...new Set(
    [
      ...expression.matchAll(/\b(?:heddle|process|nodejs)_\w+/g),
      ...expression.matchAll(/\b[a-zA-Z_:][\w:]*(?=[{[])/g),
    ].map(([name]) => name),
  ),
]

/** What Prometheus tells of each target by itself. */
const OF_PROMETHEUS = 'up'

describe('what dashboards and alerts ask for', () => {
  it('is told by the code', async () => {
    const names = await registered()
    expect(names.get('heddle_ingest_insert_seconds')).toBe('histogram')
    expect(names.get('heddle_training_silent_seconds')).toBe('gauge')
    const series = seriesOf(names).add(OF_PROMETHEUS)
    const expressions = [
      ...dashboards.flatMap(({ file, board }) => [
        ...board.panels.flatMap(({ title, targets }) =>
          targets.map(({ expr }) => [`${file}: ${title}`, expr] as const),
        ),
        ...board.templating.list.flatMap(({ name, definition }) =>
          definition === undefined ? [] : [[`${file}: ${name}`, definition] as const],
        ),
      ]),
      ...rules.map(({ alert, expr }) => [alert, expr] as const),
    ]
    const unknown = expressions.flatMap(([where, expression]) =>
      askedBy(expression)
        .filter((name) => !series.has(name))
        .map((name) => `${where}: ${name}`),
    )
    expect(unknown).toEqual([])
    for (const [where, expression] of expressions) expect(askedBy(expression), where).not.toEqual([])
  })
})

describe('the page about monitoring', () => {
  it('names every metric', async () => {
    const page = readFileSync('docs/operate/monitoring.md', 'utf8')
    const named = new Set([...page.matchAll(/`([a-z_]+)`/g)].map(([, name]) => name))
    const ours = [...(await registered()).keys()].filter((name) => name.startsWith('heddle_'))
    expect(ours.filter((name) => !named.has(name.slice('heddle_'.length)))).toEqual([])
  })
})

describe.each(dashboards)('$file', ({ file, board }) => {
  it('is called after its file, lets one choose the data source, and its panels lie apart', () => {
    expect(board.uid).toBe(`heddle-${file.replace('.json', '')}`)
    expect(board.templating.list[0]).toMatchObject({ name: 'datasource', type: 'datasource' })
    const cells = board.panels.flatMap(({ gridPos: { x, y, w, h } }) =>
      Array.from({ length: w * h }, (_, i) => `${x + (i % w)} ${y + Math.floor(i / w)}`),
    )
    expect(new Set(cells).size).toBe(cells.length)
    expect(new Set(board.panels.map(({ id }) => id)).size).toBe(board.panels.length)
  })
})

describe('alerts', () => {
  it('each have a page, and each page an alert', () => {
    const names = rules.map(({ alert }) => alert)
    expect(new Set(names).size).toBe(names.length)
    const pages = filesOf(RUNBOOKS, '.md').filter((file) => file !== 'README.md')
    expect(pages.sort()).toEqual(names.map((name) => `${name}.md`).sort())
    for (const { alert, annotations } of rules) {
      expect(annotations.runbook).toBe(`${RUNBOOKS}/${alert}.md`)
      expect(readFileSync(annotations.runbook, 'utf8')).toMatch(
        new RegExp(`^# ${alert}\\n[^]*\\n## Check\\n[^]*\\n## Do\\n`),
      )
      expect(readFileSync(`${RUNBOOKS}/README.md`, 'utf8')).toContain(`(${alert}.md)`)
    }
  })
})
