/** The monitors of all projects, as their newest versions are: read again every few seconds, and each version once. */
import { refText } from '../../contract/ref.js'
import type { ScorerPlan } from '../../domain/evaluation/plan.js'
import type { Sql } from '../../platform/clickhouse/sql.js'
import { HeddleError } from '../../platform/errors/error.js'
import { Principal } from '../../platform/http/principal.js'
import { treeValue } from '../../platform/json/tree.js'
import type { EvaluationParts, Requester } from '../evaluation/parts.js'
import type { ServerRuns } from '../evaluation/server/runs.js'
import { wireFields } from '../objects/values.js'
import { type Monitor, matches, monitorOf } from './monitor.js'
import { type MonitorRow, monitorRows, VERSION } from './statements.js'

/** How long the plans of scorers are used: a scorer may name a prompt or model by an alias. */
const PLANNED_MS = 60_000
/** Whose scores they are. */
const USER = 'monitors'
/** After which a scorer that could not be planned is tried again. */
const RETRY_MS = 10_000

/** One version of a monitor. */
export class KnownMonitor {
  private planned: { until: number; plans: Promise<ScorerPlan[]> } | undefined

  constructor(
    private readonly runs: ServerRuns,
    /** `entity/project` */
    readonly project: string,
    readonly row: MonitorRow,
    readonly monitor: Monitor | undefined,
    /** undefined: it matches nothing, see {@link problem} */
    readonly condition: Sql | undefined,
    readonly problem: string,
  ) {}

  get name(): string {
    return this.row.object_id
  }

  get ref(): string {
    const { project, name } = this
    return refText({ project, kind: 'object', name, digest: this.row.digest, steps: [] })
  }

  /** Who asks for its scores: no person, with rights in the project alone. */
  get requester(): Requester {
    const grants = [{ scope: this.project, right: 'write' }] as const
    return { project: this.project, principal: new Principal(USER, USER, grants, `${USER}/${this.project}`) }
  }

  /** @throws HeddleError if a scorer can't be run */
  plans(): Promise<ScorerPlan[]> {
    const now = performance.now()
    if (this.planned && now < this.planned.until) return this.planned.plans
    const plans = this.runs.plansOf(this.requester, this.monitor?.scorers ?? [])
    const planned = { until: now + PLANNED_MS, plans }
    plans.catch(() => {
      planned.until = now + RETRY_MS
    })
    this.planned = planned
    return plans
  }
}

export class Monitors {
  private readonly known = new Map<string, KnownMonitor>()

  constructor(
    private readonly parts: EvaluationParts,
    private readonly runs: ServerRuns,
  ) {}

  /** A text that differs whenever a monitor was made, changed or deleted; and now and then otherwise. */
  async version(): Promise<string> {
    const row = await this.parts.store.row<{ version: string }>(VERSION)
    return row?.version ?? ''
  }

  /** The newest versions. @param projectId default: of all projects */
  async read(projectId?: string): Promise<KnownMonitor[]> {
    const rows = await this.parts.store.rows<MonitorRow>(monitorRows(projectId))
    const fresh = rows.filter((row) => !this.known.has(keyOf(row)))
    if (fresh.length > 0) await this.learn(fresh)
    const keys = new Set(rows.map(keyOf))
    if (projectId === undefined) {
      for (const key of this.known.keys()) if (!keys.has(key)) this.known.delete(key)
    }
    return rows.flatMap((row) => this.known.get(keyOf(row)) ?? [])
  }

  private async learn(rows: readonly MonitorRow[]): Promise<void> {
    const { parts, runs } = this
    await parts.register.learn(rows.map((row) => row.project_id))
    const values = await wireFields(
      parts,
      rows.map(({ project_id, object_id, digest }) => ({ project: project_id, object: object_id, digest })),
    )
    rows.forEach((row, i) => {
      const project = parts.register.nameOf(row.project_id)
      if (project === undefined) return
      const { monitor, condition, problem } = readValue(treeValue(new Map(values[i])), row.object_id, project)
      this.known.set(keyOf(row), new KnownMonitor(runs, project, row, monitor, condition, problem))
    })
  }
}

const keyOf = ({ project_id, object_id, digest, written_ver }: MonitorRow) =>
  `${project_id} ${object_id} ${digest} ${written_ver}`

function readValue(value: unknown, name: string, project: string) {
  try {
    const monitor = monitorOf(value)
    return { monitor, condition: matches(monitor, name, project), problem: '' }
  } catch (error) {
    if (!(error instanceof HeddleError)) throw error
    return { monitor: undefined, condition: undefined, problem: error.message }
  }
}
