/**
 * Masking in this process: knows all rules, rereads them every few seconds, changes rows on their way into the store, and
 * counts what is masked. What it has read stays in force while the store can't be read: nothing is stored then either.
 */
import { ChangeMarks } from '../../platform/clickhouse/change-marks.js'
import type { Store } from '../../platform/clickhouse/store.js'
import type { Texts } from '../../platform/clickhouse/texts.js'
import { accountOf, currentCaller } from '../../platform/fairness/caller.js'
import { isProjectName, projectIdOf, projectNameOf } from '../../platform/ids/project.js'
import { uuid7 } from '../../platform/ids/uuid7.js'
import { threadEntry } from '../../platform/threads/pool.js'
import { WorkThreads } from '../../platform/threads/work-threads.js'
import { today } from '../../platform/time/iso.js'
import { RepeatedWork } from '../../platform/time/repeated-work.js'
import type { Arrival } from '../calls/arrival.js'
import { ProjectRegister } from '../projects/register.js'
import { textsOf } from './columns.js'
import { addCounts, type Counts, keyParts } from './counts.js'
import { operatorRules } from './defaults.js'
import { maskRows, type Place } from './mask-rows.js'
import { RulesByScope, type StoredRules } from './rules-by-scope.js'
import { type Snapshot, snapshotOf } from './snapshot.js'
import { type CountRow, rulesMark, savedRules, writeCounts } from './table.js'

/** Time between two looks, and the timeout of a read: a changed rule holds everywhere within 10 s. */
const LOOK_MS = 1_000
const TIMEOUT_MS = 3_000
const FLUSH_MS = 10_000

/** What threads do. */
export type MaskWork = { maskRows: typeof maskRows }

export interface MasksOptions {
  /** rules of the operator */
  policy?: Arrival['sensitiveData']
  /** told of matches, for metrics */
  counted?: (rule: string, matches: number) => void
}

export class Masks implements Texts {
  private rules = new RulesByScope([])
  private taken: Snapshot | undefined
  /** of what was read last, so that equal rules are not made again */
  private version = ''
  private isRead = false
  /** when rules were read because of it */
  private mark: string | undefined
  private readonly register: ProjectRegister
  private readonly threads: WorkThreads<MaskWork>
  private readonly refreshing: RepeatedWork
  private readonly flushing: RepeatedWork
  private readonly process = uuid7()
  /** by day, what was masked since the start, and whether it has to be written */
  private readonly counts = new Map<string, { counts: Counts; isNew: boolean }>()
  private readonly operator: readonly StoredRules[]

  /**
   * @param store with connections of its own, and without this: rules are read while everything else waits
   * @param marks over such a store
   */
  constructor(
    private readonly store: Store,
    private readonly options: MasksOptions = {},
    private readonly marks = new ChangeMarks(store),
  ) {
    this.operator = operatorRules(options.policy ?? 'off')
    this.register = new ProjectRegister(store)
    this.threads = new WorkThreads({ maskRows }, threadEntry(import.meta.url, './mask-thread.js'))
    const quietly = (work: () => Promise<void>) => () => work().catch(() => undefined)
    this.refreshing = new RepeatedWork(
      quietly(() => this.look()),
      LOOK_MS,
    )
    this.flushing = new RepeatedWork(
      quietly(() => this.flush()),
      FLUSH_MS,
    )
  }

  /** Reads the rules and keeps rereading them. Throws if the store is unreachable. */
  async start(): Promise<void> {
    await this.refresh()
    this.refreshing.start()
    this.flushing.start()
  }

  async stop(): Promise<void> {
    await Promise.all([this.refreshing.stop(), this.flushing.stop()])
    await this.flush().catch(() => undefined)
    await this.threads.stop()
  }

  private async look(): Promise<void> {
    const mark = await rulesMark(this.marks)
    if (mark === this.mark) return
    await this.refresh(AbortSignal.timeout(TIMEOUT_MS))
    this.mark = mark
  }

  /** Reads the rules now, so that a change holds in this process at once. */
  async refresh(signal?: AbortSignal): Promise<void> {
    const saved = await savedRules(this.store, undefined, signal ? { signal } : {})
    const version = saved.map((one) => `${one.scope} ${one.version}`).join('\n')
    if (version === this.version && this.isRead) return
    this.isRead = true
    this.version = version
    const live = saved.filter(({ isDeleted }) => !isDeleted)
    const all = [...this.operator, ...live.map(({ scope, salt, rules }) => ({ scope, salt, rules }))]
    this.rules = new RulesByScope(all)
    this.taken = this.rules.isEmpty ? undefined : snapshotOf(all)
  }

  get isActive(): boolean {
    return this.taken !== undefined
  }

  /** The rules for a thread; undefined: there are none. */
  get snapshot(): Snapshot | undefined {
    return this.taken
  }

  /** The rules at this moment. */
  get current(): RulesByScope {
    return this.rules
  }

  async rows<Row extends object>(table: string, rows: readonly Row[]): Promise<readonly Row[]> {
    const snapshot = this.taken
    const { texts, isDropped } = textsOf(table)
    if (snapshot === undefined || (texts.length === 0 && !isDropped)) return rows
    const places = await this.placesOf(rows)
    const bytes = rows.reduce((sum, row) => sum + lengthOf(row, texts), 0)
    const task = { snapshot, table, rows, places }
    const masked = await this.threads.run('maskRows', task, bytes)
    this.note(masked.counts)
    return masked.rows as Row[]
  }

  /** Counts what was masked elsewhere. @param counts by `countKey` */
  note(counts: readonly (readonly [string, number])[]): void {
    if (counts.length === 0) return
    const day = today()
    let kept = this.counts.get(day)
    if (kept === undefined) {
      kept = { counts: new Map(), isNew: true }
      this.counts.set(day, kept)
    }
    kept.isNew = true
    addCounts(kept.counts, counts)
    for (const [key, count] of counts) this.options.counted?.(keyParts(key)[2], count)
  }

  /** Writes what was counted. */
  async flush(): Promise<void> {
    for (const [day, kept] of this.counts) {
      if (kept.isNew) {
        kept.isNew = false
        const rows = [...kept.counts].map(([key, matches]) => this.countRow(day, key, matches))
        await writeCounts(this.store, rows).catch((error: unknown) => {
          kept.isNew = true
          throw error
        })
      }
      if (day !== today()) this.counts.delete(day)
    }
  }

  private countRow(day: string, key: string, matches: number): CountRow {
    const [project, scope, rule] = keyParts(key)
    const project_id = isProjectName(project) ? projectIdOf(project) : project
    return { day, process: this.process, project_id, scope, rule, matches }
  }

  /** Whose rules hold for each row. */
  private async placesOf(rows: readonly object[]): Promise<Place[]> {
    const ids = rows.map(idOrName)
    if (this.rules.hasEntities) {
      const unknown = ids.filter(
        (id): id is string => typeof id === 'string' && !isProjectName(id) && projectNameOf(id) === undefined,
      )
      if (unknown.length > 0) await this.register.learn(unknown.filter((id) => id !== ''))
    }
    // What belongs to no project is its sender's.
    const caller = currentCaller()
    const scopes = caller === undefined ? [] : [accountOf(caller)]
    return rows.map((_, i): Place => {
      const id = ids[i]
      if (typeof id === 'string' && id !== '') {
        if (isProjectName(id)) return { project: id }
        const project = projectNameOf(id) ?? this.register.nameOf(id)
        return project === undefined ? { projectId: id } : { project }
      }
      return { scopes }
    })
  }
}

/** The project of a row: its internal id, or in tables that people's things are in, its name. */
function idOrName(row: object): unknown {
  const { project_id: id, project } = row as { project_id?: unknown; project?: unknown }
  return id ?? project
}

function lengthOf(row: object, columns: readonly string[]): number {
  let length = 0
  for (const column of columns) {
    const value = (row as Record<string, unknown>)[column]
    if (typeof value === 'string' || value instanceof Uint8Array) length += value.length
  }
  return length
}
