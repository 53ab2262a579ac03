/**
 * Asks scorers that users run behind an address: the SDK's RemoteScorer, with its documented wire (schema 1: a call; 2: a
 * turn of an agent). Addresses are checked as all that users name, and may be limited to hosts that the operator lists.
 */
import { setTimeout as pause } from 'node:timers/promises'
import type { NormalizedMessage } from '../contract/agent-span.js'
import { partsOf, shownText } from '../domain/agents/messages.js'
import { type SpanRow, spanOf } from '../domain/agents/span.js'
import { OTEL_SPAN } from '../domain/calls/otel-span.js'
import { visible } from '../domain/calls/read/visible.js'
import type { Rule, ScorerPlan } from '../domain/evaluation/plan.js'
import { at, parsed } from '../domain/evaluation/scoring/values.js'
import { refsToExternal } from '../domain/refs/refs.js'
import type { Secrets } from '../domain/secrets/secrets.js'
import { collect } from '../platform/bytes/collect.js'
import { bind, sql } from '../platform/clickhouse/sql.js'
import type { Store } from '../platform/clickhouse/store.js'
import { HeddleError } from '../platform/errors/error.js'
import { projectIdOf } from '../platform/ids/project.js'
import { uuid7 } from '../platform/ids/uuid7.js'
import { type JsonTree, parseTree, treeText, treeValue } from '../platform/json/tree.js'
import type { Outbound } from '../platform/outbound/fetch.js'
import { isoOfMicros, isoOrNull } from '../platform/time/iso.js'
import { RowFailure } from './failure.js'
import { stableId } from './ids.js'
import type { CallRow } from './reads.js'

type RemoteRule = Extract<Rule, { kind: 'remote' }>

/** What is scored, and for whom. */
export interface ScoredCall {
  /** `entity/project` */
  project: string
  call: CallRow
  /** of the score's call, and its trace */
  score: string
  /** default: a user asked for it */
  monitor?: { ref: string; name: string } | undefined
  /** whether it is the turn of an agent */
  isTurn: boolean
  /** whether a busy scorer is asked again, as for a turn; default: no */
  again?: boolean
}

export interface RemoteParts {
  store: Store
  secrets: Secrets
  /** follows no redirect */
  outbound: Outbound
  /** the only ones that may be asked, with a port or without; undefined: all that are public */
  hosts: readonly string[] | undefined
}

const MOST_BYTES = 1 << 20
/** Attempts for what is asked again, all within {@link PATIENCE_MS}. */
const TRIES = 3
const PATIENCE_MS = 30_000
const PAUSE_MS = 1000
/** A token is asked for again that long before it ends. */
const EARLY_MS = 30_000
const TOKEN_MS = 300_000

export class Remote {
  private readonly tokens = new Map<string, { token: string; until: number }>()

  constructor(private readonly parts: RemoteParts) {}

  /** @returns `{value, reason, confidence}`, or `{scores: […]}` if it gave a list @throws RowFailure */
  async score(
    plan: ScorerPlan,
    rule: RemoteRule,
    scored: ScoredCall,
    signal: AbortSignal,
  ): Promise<JsonTree> {
    const version = scored.isTurn ? 2 : 1
    const body = await this.bodyOf(plan, rule, scored, version)
    if (Buffer.byteLength(body) > MOST_BYTES)
      throw new RowFailure('TOO_LARGE', 'The call has more than 1 MiB, which a remote scorer does not get.')
    try {
      this.check(rule.endpoint)
      const token = await this.tokenOf(scored.project, rule, signal)
      const headers = {
        ...{ 'content-type': 'application/json', 'x-weave-schema-version': String(version) },
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        'idempotency-key': stableId(
          'remote',
          scored.call.id,
          scored.monitor?.ref ?? '',
          plan.ref,
          String(version),
        ),
        'x-correlation-id': uuid7(),
      }
      return resultOf(
        await this.ask(rule.endpoint, headers, body, scored.isTurn || scored.again ? TRIES : 1, signal),
        version,
      )
    } catch (error) {
      signal.throwIfAborted()
      if (error instanceof HeddleError && (error.status < 500 || error.code === 'UPSTREAM'))
        throw new RowFailure(error.code, error.message, undefined, error.code === 'UPSTREAM')
      throw error
    }
  }

  private check(address: string): void {
    const { hosts } = this.parts
    const { host, hostname } = new URL(address)
    if (hosts !== undefined && !hosts.includes(host) && !hosts.includes(hostname))
      throw new RowFailure(
        'BAD_ADDRESS',
        `${host} is not among HEDDLE_REMOTE_SCORER_HOSTS; an operator can add it.`,
      )
  }

  /** @throws RowFailure, and what `Outbound` throws */
  private async ask(
    address: string,
    headers: Record<string, string>,
    body: string,
    tries: number,
    signal: AbortSignal,
  ): Promise<string> {
    const end = AbortSignal.timeout(PATIENCE_MS)
    const within = AbortSignal.any([signal, end])
    for (let tried = 1; ; tried++) {
      const answer = await this.parts.outbound
        .fetch(address, { method: 'POST', headers, body, signal: within })
        .catch((error: unknown) => {
          if (end.aborted) throw new RowFailure('TOO_SLOW', 'The scorer did not answer within 30 seconds.')
          if (tried < tries && error instanceof HeddleError && error.code === 'UPSTREAM') return undefined
          throw error
        })
      if (answer?.status === 200) return textOf(answer)
      await answer?.body?.cancel()
      const { status = 503 } = answer ?? {}
      const isBusy = status > 500 || status === 408 || status === 429
      const failed = new RowFailure('REMOTE_FAILED', `The scorer answered ${status}.`, undefined, isBusy)
      // It may be the call at which it fails with 500, so nobody waits for longer.
      if (tried >= tries || !(isBusy || status === 500)) throw failed
      await pause(PAUSE_MS * tried, undefined, { signal: within }).catch(() => {
        throw failed
      })
    }
  }

  private async tokenOf(
    project: string,
    { endpoint, auth }: RemoteRule,
    signal: AbortSignal,
  ): Promise<string | undefined> {
    if (auth === null) return undefined
    if (auth.mode === 'static_bearer') return this.secret(project, auth.bearer_secret_name, endpoint)
    const { token_endpoint_url: address, client_id, client_secret_name, scope } = auth
    const key = JSON.stringify([project, auth])
    const known = this.tokens.get(key)
    if (known && performance.now() < known.until) return known.token
    this.check(address)
    const client_secret = await this.secret(project, client_secret_name, address)
    const form = {
      grant_type: 'client_credentials',
      client_id,
      client_secret,
      ...(scope !== null && { scope }),
    }
    const headers = { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' }
    const given = parsed(await this.ask(address, headers, new URLSearchParams(form).toString(), 1, signal))
    const token = at(given ?? null, ['access_token'])
    if (token === undefined)
      throw new RowFailure('NO_TOKEN', 'The token endpoint of the scorer gave no access_token.')
    const seconds = Number(at(given ?? null, ['expires_in']) ?? TOKEN_MS / 1000)
    this.tokens.set(key, { token: String(token), until: performance.now() + seconds * 1000 - EARLY_MS })
    return String(token)
  }

  private async secret(project: string, name: string, address: string): Promise<string> {
    const value = await this.parts.secrets.find(project, name, address)
    if (value === undefined)
      throw new RowFailure('NO_SECRET', `The secret ${name} of the scorer was not found for this project.`)
    return value
  }

  private async bodyOf(
    plan: ScorerPlan,
    { config }: RemoteRule,
    scored: ScoredCall,
    version: 1 | 2,
  ): Promise<string> {
    const { project, call, score, monitor } = scored
    const target =
      version === 1
        ? { original_call: callOf(project, call) }
        : {
            scoring_target: fields({
              ...{ type: 'agent_turn', schema_version: 1 },
              payload: await this.turnOf(project, call),
            }),
          }
    const body = fields({
      ...{ schema_version: version, ...target },
      ...{ scoring_call_id: score, scoring_trace_id: score },
      ...(monitor && {
        monitor: { name: monitor.name, version_digest: monitor.ref.slice(monitor.ref.lastIndexOf(':') + 1) },
      }),
      scorer: { name: plan.name, ref: plan.ref, ...(config !== null && { config }) },
      triggered_at: new Date().toISOString(),
    })
    const external = (id: string) => (id === projectIdOf(project) ? project : undefined)
    return treeText(refsToExternal(body, external))
  }

  /** A turn as its span says it. */
  private async turnOf(project: string, call: CallRow): Promise<JsonTree> {
    const row = await this.parts.store.row<Pick<SpanRow, 'status' | 'text'>>(sql`
      SELECT toUInt8(span_status) AS status, ${OTEL_SPAN} AS text
      ${visible('calls', projectIdOf(project), [sql`id = ${bind.string(call.id)}`])} LIMIT 1`)
    if (row === undefined || row.text === '')
      throw new RowFailure(
        'NO_SPAN',
        'The turn did not come as a span, which is what a remote scorer of turns gets.',
      )
    const nothing = { user_id: '', run_id: '', step: null, step_end: null, repeats: false }
    const span = spanOf({ ...call, ...nothing, ...row })
    return fields({
      ...{ event_type: 'weave.genai.turn_ended', project_id: project, trace_id: span.trace_id },
      ...{ span_id: span.span_id, span_name: span.span_name, operation_name: span.operation_name || null },
      ...{ started_at: isoOfMicros(call.started), ended_at: isoOfMicros(call.ended) },
      conversation: { id: span.conversation_id || null, name: span.conversation_name || null },
      agent: {
        ...{ name: span.agent_name || null, version: span.agent_version || null },
        description: span.agent_description || null,
      },
      status: {
        ...{ code: span.status_code ?? 'UNSET', message: span.status_message || null },
        error_type: span.error_type || null,
      },
      messages: {
        system_instructions: span.system_instructions,
        ...{ input: span.input_messages.map(plain), output: span.output_messages.map(plain) },
      },
    })
  }
}

/** With its text alone, unless it has more parts than texts. */
function plain(message: NormalizedMessage): NormalizedMessage {
  const isText = partsOf(message).every(({ type }) => type === 'text')
  return isText ? { ...message, content: shownText(message) } : message
}

/** A tree of values, of which some are trees already. */
function fields(value: { [name: string]: unknown }): Map<string, JsonTree> {
  return new Map(Object.entries(value).map(([name, one]) => [name, treeOf(one)]))
}

function treeOf(value: unknown): JsonTree {
  return value instanceof Map ? (value as JsonTree) : parseTree(JSON.stringify(value ?? null))
}

function callOf(project: string, call: CallRow): JsonTree {
  const { id, trace_id, op_name, started, ended, inputs, output } = call
  return fields({
    ...{ project_id: project, call_id: id, trace_id, op_name },
    ...{ inputs: parsed(inputs) ?? new Map(), output: parsed(output) },
    ...{ started_at: isoOfMicros(started), ended_at: isoOrNull(ended) },
  })
}

/** At most {@link MOST_BYTES}. @throws RowFailure if it is more */
async function textOf({ body }: Awaited<ReturnType<Outbound['fetch']>>): Promise<string> {
  if (body === null) return ''
  const bytes = await collect(body, MOST_BYTES).catch((error: unknown) => {
    if (!(error instanceof RangeError)) throw error
    throw new RowFailure('BAD_ANSWER', "The scorer's answer has more than 1 MiB.")
  })
  return bytes.toString()
}

/** A tag of at most 36 characters, or a rating. */
function isScore(tree: JsonTree): boolean {
  const { value, reason, confidence } = treeValue(tree) as Record<string, unknown>
  const share = (one: unknown) => typeof one === 'number' && one >= 0 && one <= 1
  return (
    (share(value) || (typeof value === 'string' && value.length <= 36)) &&
    (reason === undefined || reason === null || typeof reason === 'string') &&
    (confidence === undefined || confidence === null || share(confidence))
  )
}

/** The score of an answer, or its scores. @throws RowFailure */
function resultOf(text: string, version: number): JsonTree {
  const answer = parsed(text)
  const bad = (why: string) => new RowFailure('BAD_ANSWER', `The scorer's answer ${why}.`, text)
  if (!(answer instanceof Map)) throw bad('is not a JSON object')
  if (treeText(answer.get('schema_version') ?? null) !== String(version))
    throw bad(`does not have the schema_version ${version}`)
  const result = answer.get('result') ?? null
  const listed = result instanceof Map ? (result.get('scores') ?? result) : result
  const scores = Array.isArray(listed) ? listed : [listed]
  if (scores.length === 0 || !scores.every((one) => one instanceof Map && isScore(one)))
    throw bad('has no score: a value of 0 to 1 or a text of at most 36 characters, a reason and a confidence')
  return Array.isArray(listed) ? new Map([['scores', listed]]) : listed
}
