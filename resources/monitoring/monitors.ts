import { MONITORS } from '../../domain/evaluation/monitored.js'
import type { ScorerPlan } from '../../domain/evaluation/plan.js'
import type { Sql } from '../../platform/clickhouse/sql.js'
import { errors } from '../../platform/errors/catalog.js'
import { HeddleError } from '../../platform/errors/error.js'
import { type EvaluationParts, ownRequester, type Requester } from '../evaluation/parts.js'
import { refOf } from '../evaluation/publish.js'
import type { ServerRuns } from '../evaluation/server/runs.js'
import { type ObjectRow, ObjectsOfClass } from '../objects/of-class.js'
import { MONITOR_CLASS, type Monitor, matches, monitorOf, ofOps } from './monitor.js'

/** How long the plans of scorers are used: a scorer may name a prompt or model by an alias. */
const PLANNED_MS = 60_000
/** After which a scorer that could not be planned is tried again. */
const RETRY_MS = 10_000

/** One version of a monitor. */
export class KnownMonitor {
  private planned: { until: number; plans: Promise<ScorerPlan[]> } | undefined

  constructor(
    private readonly runs: ServerRuns,
    readonly project: string,
    readonly row: ObjectRow,
    readonly monitor: Monitor | undefined,
    /** undefined: it matches nothing, see {@link problem} */
    readonly condition: Sql | undefined,
    readonly problem: string,
  ) {}

  /** True for the calls of its ops, which {@link condition} implies; undefined: it matches those of all ops. */
  get ofItsOps(): Sql | undefined {
    const { ops = [] } = this.monitor ?? {}
    return ops.length > 0 ? ofOps(ops, this.project) : undefined
  }

  get name(): string {
    return this.row.object_id
  }

  get ref(): string {
    return refOf(this.project, 'object', this.name, this.row.digest)
  }

  /** Who asks for its scores. */
  get requester(): Requester {
    return ownRequester(MONITORS, this.project)
  }

  /** @throws HeddleError if a scorer can't be run */
  plans(): Promise<ScorerPlan[]> {
    const now = performance.now()
    if (this.planned && now < this.planned.until) return this.planned.plans
    const { scorers = [], isClassifier = false } = this.monitor ?? {}
    const each = this.runs.plansOf(this.requester, scorers)
    const plans = isClassifier ? each.then(askedTogether) : each
    const planned = { until: now + PLANNED_MS, plans }
    plans.catch(() => {
      planned.until = now + RETRY_MS
    })
    this.planned = planned
    return plans
  }
}

/** The monitors of all projects. */
export type Monitors = ObjectsOfClass<KnownMonitor>

export function monitorsOf(parts: EvaluationParts, runs: ServerRuns): Monitors {
  return new ObjectsOfClass(parts, MONITOR_CLASS, (row, project, value) => {
    const { monitor, condition, problem } = readValue(value, row.object_id, project)
    return new KnownMonitor(runs, project, row, monitor, condition, problem)
  })
}

function readValue(value: unknown, name: string, project: string) {
  try {
    const monitor = monitorOf(value)
    return { monitor, condition: matches(monitor, name, project), problem: '' }
  } catch (error) {
    if (!(error instanceof HeddleError)) throw error
    return { monitor: undefined, condition: undefined, problem: error.message }
  }
}

/** @throws `INVALID_MONITOR` (400) unless all are judges that ask the same model */
function askedTogether(plans: readonly ScorerPlan[]): ScorerPlan[] {
  const judges = plans.map(({ name, rule }) => {
    if (rule.kind !== 'judge')
      throw errors.invalidMonitor(`its scorer ${name} is no judge, and it has judges only`)
    return { name, rule }
  })
  const [first] = judges
  if (first === undefined) return []
  const { model } = first.rule
  const other = judges.find(({ rule }) => rule.model.name !== model.name || rule.model.at !== model.at)
  if (other)
    throw errors.invalidMonitor(`${other.name} asks another model than ${first.name}; name one model in all`)
  const classifiers = judges.map(({ name, rule }) => ({ name, prompt: rule.messages.map(textOf).join('\n') }))
  // Its own prompt and schema would be of one judge.
  const shared = { ...model, messages: [], format: 'json' as const, schema: null }
  return plans.map((plan) => ({ ...plan, rule: { kind: 'classifier', model: shared, classifiers } }))
}

const textOf = ({ content }: Record<string, unknown>): string =>
  typeof content === 'string' ? content : JSON.stringify(content ?? '')
