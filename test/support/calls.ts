/** Bodies of calls as the SDKs send them. Times are ISO 8601, µs, deterministic from a number. */
import { uuid7 } from './ids.js'

const BASE = Date.UTC(2026, 5, 1, 12)

/** An instant `seconds` (fractions to µs) after the tests' fixed moment. */
export function at(seconds: number): string {
  const micros = Math.round(seconds * 1e6)
  const whole = new Date(BASE + Math.floor(micros / 1e6) * 1000).toISOString().slice(0, 19)
  const rest = ((micros % 1e6) + 1e6) % 1e6
  return rest === 0 ? `${whole}Z` : `${whole}.${String(rest).padStart(6, '0')}Z`
}

/** A finished call, as `calls/complete` takes it. */
export function complete(project: string, more: Record<string, unknown> = {}): Record<string, unknown> {
  const id = uuid7()
  return {
    project_id: project,
    id,
    trace_id: typeof more.trace_id === 'string' ? more.trace_id : uuid7(),
    op_name: 'op',
    started_at: at(0),
    ended_at: at(1),
    attributes: {},
    inputs: {},
    output: null,
    summary: {},
    ...more,
  }
}

const START = [
  'op_name',
  'display_name',
  'trace_id',
  'parent_id',
  'thread_id',
  'turn_id',
  'attributes',
  'inputs',
]
const START_RUN = ['wb_run_id', 'wb_run_step', 'platform_run_id', 'platform_run_step']
const END = ['ended_at', 'exception', 'output', 'summary', 'wb_run_step_end', 'platform_run_step_end']

/** The two halves of a finished call. */
export function halves(call: Record<string, unknown>): {
  start: Record<string, unknown>
  end: Record<string, unknown>
} {
  const pick = (keys: string[]) =>
    Object.fromEntries(keys.filter((key) => key in call).map((key) => [key, call[key]]))
  const both = pick(['project_id', 'id', 'started_at'])
  return { start: { ...both, ...pick([...START, ...START_RUN]) }, end: { ...both, ...pick(END) } }
}

/** Path of a project's route under `/v2`. */
export function v2(project: string, rest: string): string {
  return `/v2/${project}/${rest}`
}
