/** `heddle retention`: sets policies and the cap, shows them, and deletes expired calls. */

import { ttlRead, ttlUpdate } from '../../contract/project-settings.js'
import { applyRetention, type Deleted } from '../../domain/retention/apply.js'
import { lastRuns, readPolicies, setCap, setPolicy } from '../../domain/retention/policies.js'
import { daysOf, isScope } from '../../domain/retention/policy.js'
import { diskBytes } from '../../domain/retention/space.js'
import type { Store } from '../../platform/clickhouse/store.js'
import { CommandError } from '../command.js'
import { answerIn } from '../contract-client.js'
import type { Target } from '../http-client.js'
import type { Shown } from '../shown.js'
import { size } from '../size.js'
import { table } from '../table.js'

const GIB = 2 ** 30
const UNITS: Record<string, number> = { MiB: 2 ** 20, GiB: GIB, TiB: 2 ** 40 }

/** All policies, the disk usage and the recent runs. */
export async function showRetention(store: Store): Promise<Shown> {
  const [{ policies, cap }, space, runs] = await Promise.all([
    readPolicies(store),
    diskBytes(store),
    lastRuns(store, 5),
  ])
  const kept = policies.map(({ scope, days, isOwn }) => [
    scope,
    `${days === 0 ? 'for ever' : `${days} days`}${isOwn ? ' (set by the project)' : ''}`,
  ])
  if (!policies.some(({ scope }) => scope === '*')) kept.push(['*', 'for ever (default)'])
  const lines = [
    table([['SCOPE', 'CALLS ARE KEPT'], ...kept]),
    `\ntables ${size(space.total)}, of which calls ${size(space.calls)}; free on the disk ${size(space.free)} of ${size(space.size)}\n`,
    `cap ${cap === 0 ? 'none' : size(cap)}\n`,
  ]
  if (runs.length > 0) {
    const rows = runs.map((run) => [
      run.at,
      run.reason,
      `${run.calls}`,
      `${run.seconds}`,
      run.error || 'done',
    ])
    lines.push('\n', table([['RUN AT (UTC)', 'REASON', 'CALLS', 'SECONDS', 'END'], ...rows]))
  }
  return { value: { policies, cap, space, runs }, text: lines.join('') }
}

/** How long a server keeps the calls of `project`. */
export async function retentionOf(to: Target, project: string): Promise<Shown> {
  const value = await answerIn(to, project, ttlRead)
  return { value, text: `calls of ${project} are kept ${kept(value.retention_days ?? 0)}\n` }
}

/** Sets the policy of a project of a server. @param keep as for {@link keepFor} @returns the new state */
export async function keepThere(to: Target, scope: string, keep: string): Promise<string> {
  const days = daysToKeep(keep)
  if (days === 0)
    throw new CommandError('a server keeps calls for days, or with `inherit` as long as its operator says', 2)
  const { retention_days: now } = await answerIn(to, scope, ttlUpdate, { retention_days: days ?? null })
  return `calls of ${scope} are kept ${kept(now ?? 0)}`
}

function kept(days: number): string {
  return days === 0 ? 'for ever' : `for ${days} days`
}

/** undefined: as the scope above says. @throws CommandError for what is no duration */
function daysToKeep(keep: string): number | undefined {
  const days = keep === 'inherit' ? undefined : daysOf(keep)
  if (days === undefined && keep !== 'inherit')
    throw new CommandError(`${keep} is not a duration such as 30d, 12w or 1y, nor forever or inherit`, 2)
  return days
}

/** @param keep `30d`, `12w`, `1y`, `forever`, or `inherit` to remove the policy @returns the new state */
export async function keepFor(store: Store, scope: string, keep: string): Promise<string> {
  if (!isScope(scope)) throw new CommandError(`${scope} is not *, an entity or entity/project`, 2)
  const days = daysToKeep(keep)
  await setPolicy(store, scope, days)
  if (days === undefined) return `${scope} has no policy of its own now`
  return `calls of ${scope} are kept ${kept(days)}${days === 0 ? '' : '; the next run deletes older ones'}`
}

/** @param text such as `500GiB`, or `off` @returns the new state */
export async function capAt(store: Store, text: string): Promise<string> {
  const [, count, unit = 'GiB'] = /^(\d{1,6})\s*(MiB|GiB|TiB)$/.exec(text) ?? []
  if (count === undefined && text !== 'off')
    throw new CommandError(`${text} is not a size such as 500GiB, nor off`, 2)
  const bytes = count === undefined ? 0 : Number(count) * (UNITS[unit] ?? GIB)
  await setCap(store, bytes)
  return bytes === 0 ? 'no limit' : `past ${size(bytes)} on a disk, the next run deletes the oldest calls`
}

/** Deletes expired calls, or reports what it would delete. */
export async function runRetention(store: Store, dry: boolean): Promise<string> {
  const done = await applyRetention(store, { dry })
  if (done.length === 0) return 'nothing to delete\n'
  return done.map((one) => said(one, dry)).join('')
}

function said({ reason, before, rows }: Deleted, dry: boolean): string {
  const why = reason === 'age' ? 'expired' : 'to free space'
  const when = before > 0 ? `, begun before ${new Date(before).toISOString().slice(0, 19)}Z` : ''
  const what = `${rows.calls} calls, ${rows.calls_open} halves, ${rows.feedback} pieces of feedback and ${rows.responses} responses`
  return `${dry ? 'would delete' : 'deleted'} ${what}, ${why}${when}\n`
}
