/**
 * The second step of writes, after their rows are stored: joins halves into whole calls, and takes away what newer
 * versions replaced, so that each call is there once. Works on exact versions of rows, so several processes may do it
 * at once. Runs for one group at a time in a process.
 */
import { type Leaving, movedOf, noteMoved } from '../../domain/calls/moved.js'
import { KIND } from '../../domain/calls/schema.js'
import type { ExpectedRow } from '../../domain/calls/unsettled.js'
import type { Store } from '../../platform/clickhouse/store.js'
import { keepNames } from '../changes/rename.js'
import { type CallChange, callKey, type SpanId, spanKey } from './call-change.js'
import { joinRows, type Sides, versionOf } from './join-rows.js'
import type { JoinedHalves } from './joined-halves.js'
import { LogJoin } from './logs.js'
import {
  dropCalls,
  dropHalves,
  type StoredCall,
  type StoredHalf,
  storedById,
  storedByKey,
  storedHalves,
  storedLogs,
} from './stored.js'
import type { Unsettled } from './unsettled.js'

export interface Merged {
  /** keys ({@link callKey}) of calls of which an end is stored and no start, nor the whole */
  readonly unpaired: ReadonlySet<string>
}

export class Merge {
  private readonly logs: LogJoin
  /** Calls whose second step failed: of these anything may be stored, until it is looked at. */
  private readonly unsure = new Set<string>()

  constructor(
    private readonly store: Store,
    private readonly unsettled: Unsettled,
    private readonly joined: JoinedHalves,
  ) {
    this.logs = new LogJoin(store, unsettled)
  }

  /** Reconciles the calls that `changes` speak of. All rows of these changes must be stored. */
  async reconcile(changes: readonly CallChange[]): Promise<Merged> {
    try {
      const spans = changes.filter(({ kind }) => kind === 'span')
      const logged = [...changes.filter(({ kind }) => kind === 'log'), ...(await this.replaceSpans(spans))]
      await this.logs.join(logged)
      await this.logs.show(changes.filter(({ kind }) => kind === 'lone'))
      await this.logs.forget(changes.filter(({ kind }) => kind === 'joined'))
      await this.replaceWholes(changes.filter(({ kind }) => kind === 'whole'))
      const merged = await this.join(changes.filter(isHalf))
      await keepNames(this.store, changes.filter(replaces))
      for (const change of changes) this.unsure.delete(callKey(change))
      return merged
    } catch (error) {
      for (const change of changes)
        if (!['span', 'log'].includes(change.kind)) this.unsure.add(callKey(change))
      throw error
    }
  }

  /**
   * A span that was sent again began at the same time, so the sorting key finds it.
   * @returns those of which log records are stored
   */
  private async replaceSpans(spans: readonly CallChange[]): Promise<readonly CallChange[]> {
    if (spans.length === 0) return []
    const rows = await storedByKey(this.store, spans)
    const waiting = await storedLogs(this.store, spans)
    const logged = new Set([...rows.filter(({ whole }) => whole), ...waiting].map(spanKey))
    const isLogged = (row: SpanId) => logged.has(spanKey(row))
    const others = rows.filter((row) => !isLogged(row))
    await dropCalls(this.store, older(others, spanKey, spans))
    return spans.filter(isLogged)
  }

  private async replaceWholes(wholes: readonly CallChange[]): Promise<void> {
    if (wholes.length === 0) return
    // By id, for no version tells of another one that began at another time.
    const rows = await storedById(this.store, wholes)
    const halves = await storedHalves(this.store, wholes)
    const versions = newestOf(rows, callKey, wholes)
    await this.drop(
      older(rows, callKey, wholes),
      halves.filter((half) => half.ver < versions.get(callKey(half))!),
      rows,
    )
  }

  /** Takes rows away, when lists know which calls were elsewhere by them. @param all of these calls, but the halves */
  private async drop(
    calls: readonly StoredCall[],
    halves: readonly StoredHalf[],
    all: readonly Leaving[],
  ): Promise<void> {
    // An end knows no start.
    const starts = halves.filter(({ kind }) => kind === KIND.start)
    await noteMoved(this.store, movedOf([...calls, ...starts], [...all, ...starts]))
    await dropCalls(this.store, calls)
    await dropHalves(this.store, halves)
  }

  private async join(changes: readonly CallChange[]): Promise<Merged> {
    const calls = [...new Map(changes.map((change) => [callKey(change), change])).values()]
    if (calls.length === 0) return { unpaired: new Set() }
    const halves = groupBy(await storedHalves(this.store, calls))
    const restarted = new Set(changes.filter(({ kind }) => kind === 'start').map(callKey))
    const sent = new Set(changes.map(({ ver }) => ver))
    const asked = calls.filter((call) => {
      const key = callKey(call)
      const mine = halves.get(key)
      // An end that was there before may have become part of a call, and its halves have not gone yet.
      const hadEnded = mine?.some(({ kind, ver }) => kind === KIND.end && !sent.has(ver)) ?? false
      return restarted.has(key) || this.unsure.has(key) || hadEnded || !has(mine, KIND.start)
    })
    const wholes = groupBy(await storedById(this.store, asked))

    const made: Sides[] = []
    const done: StoredHalf[] = []
    /** the halves of calls of which one side alone is there */
    const apart: (readonly StoredHalf[])[] = []
    const unpaired = new Set<string>()
    const refused: StoredHalf[] = []
    const unwanted = new Set(changes.filter(({ mustPair }) => mustPair).map(({ ver }) => ver))
    for (const call of calls) {
      const key = callKey(call)
      const mine = halves.get(key) ?? []
      const stored = wholes.get(key) ?? []
      if (mine.length === 0) continue
      const whole = stored.length > 0
      if (!whole && !has(mine, KIND.start)) {
        unpaired.add(key)
        refused.push(...mine.filter(({ ver }) => unwanted.has(ver)))
      }
      if (!whole && !(has(mine, KIND.start) && has(mine, KIND.end))) {
        apart.push(mine)
        continue
      }
      // What is stored whole is newer than these halves, or was made of them before.
      if (newest(mine) <= newest(stored)) done.push(...mine)
      else made.push({ halves: mine, wholes: stored })
    }
    const expected = made.map((call): ExpectedRow => {
      const { projectId, id } = call.halves[0]!
      return { projectId, id, kind: call.wholes.length > 0 ? 'whole' : 'half', ver: versionOf(call) }
    })
    await this.unsettled.announce(expected)
    const joined = await joinRows(this.store, made)
    const replaced = joined.flatMap((call) => call.wholes)
    const leaving = [...done, ...joined.flatMap((call) => call.halves)]
    // An end knows no start.
    const starts = leaving.filter(({ kind }) => kind === KIND.start)
    const all = [...[...wholes.values()].flat(), ...starts, ...apart.flat()]
    await this.drop(replaced, [...refused, ...apart.flatMap(olderStarts)], all)
    this.joined.add({ halves: leaving, moved: movedOf(starts, all), expected })
    if (joined.length === made.length) return { unpaired }
    // Another process replaced some of them meanwhile, and what it made of them is there now.
    const missed = new Set(
      made.filter((call) => !joined.includes(call)).map(({ halves: [half] }) => callKey(half!)),
    )
    const again = await this.join(changes.filter((change) => missed.has(callKey(change))))
    return { unpaired: new Set([...unpaired, ...again.unpaired]) }
  }
}

/** Whether a row took the place of one that may have been renamed. */
function replaces({ kind }: CallChange): boolean {
  return kind === 'span' || kind === 'whole' || kind === 'start'
}

function isHalf({ kind }: CallChange): boolean {
  return kind === 'start' || kind === 'end'
}

/** The newest version of each changed call, stored or in `changed`. */
function newestOf(
  rows: readonly StoredCall[],
  keyOf: (row: SpanId) => string,
  changed: readonly CallChange[],
): Map<string, number> {
  const versions = new Map<string, number>()
  for (const change of changed)
    versions.set(keyOf(change), Math.max(change.ver, versions.get(keyOf(change)) ?? 0))
  for (const row of rows) {
    const version = versions.get(keyOf(row))
    if (version !== undefined && row.ver > version) versions.set(keyOf(row), row.ver)
  }
  return versions
}

/** Of `rows`, those of changed calls that are not the newest of theirs. */
function older(
  rows: readonly StoredCall[],
  keyOf: (row: SpanId) => string,
  changed: readonly CallChange[],
): StoredCall[] {
  const versions = newestOf(rows, keyOf, changed)
  return rows.filter((row) => row.ver < (versions.get(keyOf(row)) ?? 0))
}

function groupBy<Row extends { projectId: string; id: string }>(rows: readonly Row[]): Map<string, Row[]> {
  const groups = new Map<string, Row[]>()
  for (const row of rows) {
    const group = groups.get(callKey(row))
    if (group) group.push(row)
    else groups.set(callKey(row), [row])
  }
  return groups
}

function has(halves: readonly StoredHalf[] | undefined, kind: number): boolean {
  return halves?.some((half) => half.kind === kind) ?? false
}

/** The starts of a call that was begun again since. */
function olderStarts(halves: readonly StoredHalf[]): StoredHalf[] {
  const starts = halves.filter(({ kind }) => kind === KIND.start)
  const latest = newest(starts)
  return starts.filter(({ ver }) => ver < latest)
}

function newest(rows: readonly { ver: number }[]): number {
  return rows.reduce((most, { ver }) => Math.max(most, ver), 0)
}
