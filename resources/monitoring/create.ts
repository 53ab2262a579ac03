/** Publishes monitors and the scorers of signals, as the objects that the SDK's classes are. */
import type { MonitorCreate, SIGNALS } from '../../contract/monitors.js'
import { errors } from '../../platform/errors/catalog.js'
import { type JsonTree, parseTree, treeText } from '../../platform/json/tree.js'
import { classValue } from '../evaluation/create.js'
import { authorOf, type EvaluationParts, type Requester } from '../evaluation/parts.js'
import { refOf } from '../evaluation/publish.js'
import { objectsAt } from '../evaluation/server/object-values.js'
import { checkScorer } from '../evaluation/server/scorer-plan.js'
import type { ObjectRow } from '../objects/of-class.js'
import { wireFields } from '../objects/values.js'
import { MONITOR_CLASS, matches, monitorOf } from './monitor.js'

/** @returns the ref of the version @throws 400, 403, 404 for what could not be applied */
export async function createMonitor(
  parts: EvaluationParts,
  requester: Requester,
  asked: MonitorCreate,
): Promise<string> {
  const { name, description, op_names, query, sampling_rate, signals, scorer_refs, active, quiet_seconds } =
    asked
  if (signals.length + scorer_refs.length === 0)
    throw errors.badRequest('Name a signal or a scorer: it is what the monitor does with calls.')
  for (const scorer of await objectsAt(parts, requester.principal, scorer_refs)) checkScorer(scorer)
  const own = {
    ...{ name, description, sampling_rate, op_names: op_names ?? [], query, is_traced: true, active },
    scorer_debounce_config:
      quiet_seconds === null
        ? null
        : {
            aggregation_field: 'thread_id',
            aggregation_method: 'all_messages',
            timeout_seconds: quiet_seconds,
          },
  }
  // Nothing is published for a monitor that would never be applied.
  matches(monitorOf({ ...own, scorers: ['any'] }), name, requester.project)
  const published = await Promise.all(
    [...new Set(signals)].map((signal) => signalScorer(parts, requester, signal)),
  )
  const members = Object.entries({ ...own, scorers: [...published, ...scorer_refs] })
  return publish(
    parts,
    requester,
    name,
    classValue(
      MONITOR_CLASS,
      members.map(([key, value]) => [key, tree(value)]),
    ),
  )
}

/** Publishes the newest version again, active or not. @returns its ref */
export async function activateMonitor(
  parts: EvaluationParts,
  requester: Requester,
  { project_id: project, object_id: object, digest }: ObjectRow,
  active: boolean,
): Promise<string> {
  const [value] = await wireFields(parts, [{ project, object, digest }])
  return publish(parts, requester, object, treeText(new Map([...value!, ['active', active]])))
}

async function signalScorer(
  parts: EvaluationParts,
  requester: Requester,
  signal: (typeof SIGNALS)[number],
): Promise<string> {
  const value = classValue('SignalScorer', [
    ['name', signal],
    ['description', null],
    ['column_map', null],
    ['signal', signal],
  ])
  return publish(parts, requester, signal, value)
}

async function publish(
  parts: EvaluationParts,
  requester: Requester,
  id: string,
  json: string,
): Promise<string> {
  const digest = await parts.publisher.object(authorOf(requester), id, json)
  return refOf(requester.project, 'object', id, digest)
}

const tree = (value: unknown): JsonTree => parseTree(JSON.stringify(value ?? null))
