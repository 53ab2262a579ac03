/**
 * What became of a program's spans, as text: a line a call, below the call that it belongs to. Siblings are in the order
 * of their text, since clocks decide no order within a millisecond.
 *
 *     answer span: question → answer ∑ 20+7 $0.000115
 *       chat_gpt-4o llm gpt-4o 20+7 (4 cached) $0.000115: question → answer
 *       chat_gpt-4o llm gpt-4o: fail → ! I will not [BadRequestError]
 */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { dig, type Row } from '../support/api.js'
import type { Endpoint } from '../support/endpoint.js'

/** The outline that a page or program must have. */
export const outlineFile = (key: string) =>
  join(import.meta.dirname, 'outlines', `${key.replace(/\.md$/, '')}.txt`)

/** Who asks in every program. */
const SESSION = 'session-1'
const USER = 'ann'
/** What agents of the command line make up for a session or a user. */
const MADE_UP = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$|^[0-9a-f]{64}$/

/** What every program asks. */
export const QUESTION = 'How is the weather in Paris?'

/** What is said in every program, by its name in an outline. */
const PHRASES = {
  question: QUESTION,
  fail: 'fail',
  city: 'Paris',
  call: 'get_weather',
  answer: 'It is sunny in Paris.',
  result: 'sunny in Paris',
} as const
type Phrase = keyof typeof PHRASES
const OF_INPUTS: Phrase[] = ['question', 'fail', 'city', 'result', 'answer']
const OF_OUTPUT: Phrase[] = ['call', 'result', 'answer']

/**
 * The outline of a project's calls, once it is what the file says; where it never is, as it is after so many seconds.
 * What spans inherit of one that came in another request they have half a minute later, or more on a busy machine.
 */
export async function settledOutline(
  { server, project }: { readonly server: Endpoint; readonly project: string },
  key: string,
  { seconds = 100, isTerse = false } = {},
): Promise<string> {
  const file = outlineFile(key)
  const expected = existsSync(file) ? readFileSync(file, 'utf8') : undefined
  const deadline = Date.now() + seconds * 1000
  for (;;) {
    const outline = await outlineOf(server, project, isTerse)
    if (outline === expected || Date.now() > deadline) return outline
    await new Promise((done) => setTimeout(done, 1000))
  }
}

/**
 * The outline of a project's calls.
 * @param isTerse without calls that only have a name, unless something below them has more
 */
async function outlineOf(server: Endpoint, project: string, isTerse: boolean): Promise<string> {
  const calls = await server.api.calls(project, { include_costs: true })
  const isChild = (call: Row, parent: Row) =>
    call.parent_id === parent.id && call.trace_id === parent.trace_id
  const roots = calls.filter((call) => !calls.some((parent) => isChild(call, parent)))
  const totals = await totalsOf(server, project, roots)
  const errors = await errorsOf(server, project)
  const lines = (siblings: Row[], depth: number): string[] =>
    siblings
      .flatMap((call) => {
        const below = lines(
          calls.filter((child) => isChild(child, call)),
          depth + 1,
        )
        const { line, isBare } = lineOf(call, errors)
        if (isTerse && isBare && below.length === 0) return []
        const total = below.length > 0 && depth === 0 ? (totals.get(call.id) ?? '') : ''
        return [`${'  '.repeat(depth)}${line}${total}`, ...below].join('\n')
      })
      .sort()
  return `${lines(roots, 0).join('\n')}\n`
}

/** What a call and the calls below it used and cost together. */
async function totalsOf(server: Endpoint, project_id: string, roots: Row[]): Promise<Map<unknown, string>> {
  const call_ids = roots.map(({ id }) => id)
  const { call_usage } = await server.api.ok('/calls/usage', { project_id, call_ids, include_costs: true })
  const totalOf = (byModel: unknown) =>
    Object.values((byModel ?? {}) as Record<string, Row>)
      .map((usage) => `${tokensOf(usage)}${costOf(usage)}`)
      .filter((text) => text !== '')
      .sort()
      .join(',')
  return new Map(
    roots.map(({ id }) => {
      const total = totalOf(dig(call_usage, String(id)))
      return [id, total === '' ? '' : ` ∑${total}`]
    }),
  )
}

/** The type of each span's error, by the span's id, where its status says that there was one. */
async function errorsOf(server: Endpoint, project_id: string): Promise<Map<unknown, string>> {
  const { spans } = await server.api.ok('/agents/spans/query', { project_id, limit: 10_000 })
  const failed = (spans as Row[]).filter(({ status_code }) => status_code === 'ERROR')
  return new Map(failed.map(({ span_id, error_type }) => [span_id, String(error_type)]))
}

/** What a call says of its error, and its type where that does not say it. */
function errorOf({ id, exception, summary }: Row, errors: ReadonlyMap<unknown, string>): string {
  const type = errors.get(id)
  const states = [exception !== null, type !== undefined, dig(summary, 'weave', 'status') === 'error']
  if (states.every((failed) => !failed)) return ''
  const said = String(exception).split('\n')[0]!
  const typed = !type || said.includes(type.split('.').at(-1)!) ? '' : ` [${type}]`
  return ` ! ${said}${typed}${states.every((failed) => failed) ? '' : ' (an error in one view alone)'}`
}

function lineOf(call: Row, errors: ReadonlyMap<unknown, string>): { line: string; isBare: boolean } {
  const op = /op\/([^:]+):/.exec(String(call.op_name))?.[1]
  const kind = dig(call, 'attributes', 'kind')
  const model = dig(call, 'attributes', 'model')
  const usages = Object.entries((dig(call, 'summary', 'usage') ?? {}) as Record<string, Row>)
  const used = usages.map(([by, usage]) => {
    const cost = dig(call, 'summary', 'weave', 'costs', by)
    return `${by === model ? '' : ` of ${by}`}${tokensOf(usage)}${costOf(cost ?? usage)}`
  })
  const head = [op, kind, model].filter((text) => text !== undefined).join(' ')
  const said = [saidIn(call.inputs, OF_INPUTS), saidIn(call.output, OF_OUTPUT)]
  const content = said.some((text) => text !== '') ? `: ${said.join(' → ').trim()}` : ''
  const failed = errorOf(call, errors)
  const session = nameOf('session', call.thread_id, SESSION)
  const user = nameOf('user', dig(call, 'attributes', 'user_id'), USER)
  return {
    line: `${head}${used.join()}${content}${failed}${session}${user}`,
    isBare: kind === undefined && `${used.join()}${content}${failed}` === '',
  }
}

/** Says whose a call is, unless it is whose it is expected to be. */
function nameOf(what: 'session' | 'user', value: unknown, expected: string): string {
  if (value === expected) return ''
  return MADE_UP.test(String(value)) ? ` (own ${what})` : ` (${what} ${value ?? 'unknown'})`
}

/** Both names of a count are added up, as a reader would who does not know that they are one. */
function tokensOf(usage: Row): string {
  const count = (...names: string[]) => names.reduce((sum, name) => sum + Number(usage[name] ?? 0), 0)
  const input = count('input_tokens', 'prompt_tokens')
  const output = count('output_tokens', 'completion_tokens')
  const cached = count('cache_read_input_tokens')
  return input + output === 0 ? '' : ` ${input}+${output}${cached > 0 ? ` (${cached} cached)` : ''}`
}

function costOf(costs: unknown): string {
  const parts = Object.entries((costs ?? {}) as Record<string, unknown>)
  const stated = parts.filter(([name]) => name === 'total_cost')
  const counted = stated.length > 0 ? stated : parts.filter(([name]) => /_total_cost$/.test(name))
  const cost = counted.reduce((sum, [, value]) => sum + Number(value), 0)
  return cost === 0 ? '' : ` $${Number(cost.toPrecision(6))}`
}

/** Which phrases stand in a value: each as a text of its own, or (`~`) within a longer one. */
function saidIn(value: unknown, phrases: Phrase[]): string {
  const texts = textsOf(value)
  const named = phrases.flatMap((phrase) => {
    const text = PHRASES[phrase]
    if (texts.some((one) => one.trim() === text)) return [phrase]
    const others = phrase === 'result' ? texts.map((one) => one.replaceAll(PHRASES.answer, '')) : texts
    if (phrase === 'city') return []
    const within = (one: string) => (phrase === 'fail' ? /(^|[\s:])fail$/m.test(one) : one.includes(text))
    return others.some(within) ? [`${phrase}~`] : []
  })
  return named.join(', ')
}

/** Every text in a value, in that of a JSON text too. */
function textsOf(value: unknown): string[] {
  if (typeof value === 'object' && value !== null) return Object.values(value).flatMap(textsOf)
  if (typeof value !== 'string') return []
  if (!/^\s*[[{"]/.test(value)) return [value]
  try {
    return textsOf(JSON.parse(value))
  } catch {
    return [value]
  }
}
