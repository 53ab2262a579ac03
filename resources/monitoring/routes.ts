/** The routes of monitors, bound. Monitors are made, changed and deleted as the objects that they are. */
import * as contract from '../../contract/monitors.js'
import type { Signal } from '../../domain/evaluation/scoring/signals.js'
import { errors } from '../../platform/errors/catalog.js'
import { type Bound, serve } from '../../platform/http/request.js'
import { projectIdOf } from '../../platform/ids/project.js'
import { isoOfMicros, nowMicros, today } from '../../platform/time/iso.js'
import { microsOf } from '../../platform/time/micros.js'
import type { EvaluationParts } from '../evaluation/parts.js'
import type { ServerRuns } from '../evaluation/server/runs.js'
import { deleteVersions } from '../objects/delete.js'
import { readAgreement } from './agreement.js'
import { activateMonitor, createMonitor } from './create.js'
import { MONITOR_CLASS, matches, monitorOf } from './monitor.js'
import type { KnownMonitor, Monitors } from './monitors.js'
import { type Backfill, backfillsOf, keepBackfill, progressOf } from './progress.js'
import { setSignalsOff, signalsOff } from './signal-setting.js'
import { spentToday } from './spending.js'
import { foundToday, preview } from './statements.js'
import { triedOn } from './tried.js'

const HOUR_US = 3.6e9
const DAY_US = 24 * HOUR_US
const SHOWN = 20

/** @param runsSignals whether the operator lets them run */
export function monitoringRoutes(
  parts: EvaluationParts,
  monitors: Monitors,
  runs: ServerRuns,
  runsSignals: boolean,
): Bound[] {
  const { store, limits } = parts
  const whyNone = async () => {
    if (!runsSignals) return 'The operator has turned them off (HEDDLE_SIGNALS).'
    const why = await runs.whyNobody()
    return why && `This server looks for no signals now: ${why}.`
  }
  const any = async (projectId: string, name: string): Promise<KnownMonitor> => {
    const found = (await monitors.read(projectId)).find((one) => one.name === name)
    if (!found) throw errors.notFound(`Monitor ${name}`)
    return found
  }
  /** One that can be applied. */
  const named = async (projectId: string, name: string): Promise<KnownMonitor> => {
    const found = await any(projectId, name)
    if (found.problem !== '') throw errors.badRequest(found.problem)
    return found
  }

  return [
    serve(contract.signalsQuery, async ({ body, signal }) => ({
      problem: (await whyNone()) ?? null,
      signals: await signalsOf(parts, body.project_id, signal),
    })),
    serve(contract.signalsUpdate, async ({ body: { project_id: project, off } }) => {
      await parts.register.note([project])
      await setSignalsOff(store, project, off)
      return { off }
    }),
    serve(contract.monitorCreate, async ({ body, principal }) => ({
      ref: await createMonitor(parts, { project: body.project_id, principal }, body),
    })),
    serve(contract.monitorActivate, async ({ body, principal }) => {
      const { project_id: project, monitor, active } = body
      const { row } = await named(projectIdOf(project), monitor)
      return { ref: await activateMonitor(parts, { project, principal }, row, active) }
    }),
    serve(contract.monitorDelete, async ({ body: { project_id, monitor: object } }) => {
      const project = projectIdOf(project_id)
      await any(project, object)
      const isMeant = ({ base_class }: { base_class: string }) => base_class === MONITOR_CLASS
      await deleteVersions(parts, { project, object, names: [], isMeant })
      return { name: object }
    }),
    serve(contract.monitorsQuery, async ({ body, signal }) => {
      const projectId = projectIdOf(body.project_id)
      const [all, progress, backfills, spent, nobody] = await Promise.all([
        monitors.read(projectId),
        progressOf(store, projectId),
        backfillsOf(store, projectId),
        spentToday(store, projectId, { limits, signal }),
        runs.whyNobody(),
      ])
      const off = nobody && `This server scores nothing now: ${nobody}.`
      return {
        monitors: all.map(({ name, ref, monitor, problem }) => {
          const known = progress.find((one) => one.monitor === name)
          const isToday = known?.day === today()
          const backfill = backfills.find((one) => one.monitor === name)
          const why = off || problem || known?.problem
          return {
            ...{ name, ref, active: monitor?.active ?? false, op_names: [...(monitor?.ops ?? [])] },
            ...{ sampling_rate: monitor?.rate ?? 1, scorers: [...(monitor?.scorers ?? [])] },
            matched: known?.matched ?? 0,
            queued_today: isToday ? known.queued : 0,
            skipped_today: isToday ? known.skipped : 0,
            cost_today: spent.get(name) ?? 0,
            problem: why ? why : null,
            backfill: backfill ? shown(backfill) : null,
          }
        }),
      }
    }),
    serve(contract.monitorPreview, async ({ body, principal, signal }) => {
      const { project_id: project, name, op_names, query, sampling_rate, hours } = body
      const monitor = monitorOf({ op_names, query, sampling_rate, scorers: ['preview'] })
      const condition = matches(monitor, name, project)
      const since = nowMicros() - Math.round(hours * HOUR_US)
      const { count, newest } = preview(projectIdOf(project), since, condition, SHOWN)
      const settings = { limits, signal }
      const [counted, calls] = await Promise.all([
        store.row<{ matched: string }>(count, settings),
        store.rows<{ id: string; trace_id: string; op: string; began: string }>(newest, settings),
      ])
      const ids = calls.map(({ id }) => id)
      const { scores, left } = await triedOn(parts, { project, principal }, body, ids)
      return {
        matched: Number(counted?.matched ?? 0),
        calls: calls.map(({ id, trace_id, op, began }) => ({
          ...{ id, trace_id, op_name: op, started_at: isoOfMicros(Number(began)) },
          scores: scores.get(id) ?? [],
        })),
        not_tried: left,
      }
    }),
    serve(contract.monitorAgreement, ({ body, signal }) => readAgreement(store, body, { limits, signal })),
    serve(contract.monitorBackfill, async ({ body, principal }) => {
      const { project_id: project, monitor: name, action } = body
      const projectId = projectIdOf(project)
      await named(projectId, name)
      const known = (await backfillsOf(store, projectId)).find((one) => one.monitor === name)
      const now = nowMicros()
      if (action === 'start') {
        const until = body.until === null ? now : microsOf(body.until)
        const since = body.since === null ? until - DAY_US : microsOf(body.since)
        if (since >= until) throw errors.badRequest('since is not before until.')
        const at = { started: until, id: '' }
        const begun: Backfill = {
          ...{ projectId, monitor: name, state: 'running', since, until, at, matched: 0 },
          userId: principal.userId,
        }
        await keepBackfill(store, begun)
        return { backfill: shown(begun) }
      }
      if (!known) throw errors.notFound(`A backfill of ${name}`)
      const from = action === 'resume' ? ['paused'] : ['running', 'paused']
      if (!from.includes(known.state)) throw errors.badRequest(`The backfill of ${name} is ${known.state}.`)
      const state = ({ pause: 'paused', resume: 'running', cancel: 'cancelled' } as const)[action]
      const changed = { ...known, state }
      await keepBackfill(store, changed)
      return { backfill: shown(changed) }
    }),
  ]
}

async function signalsOf(
  { store, limits }: EvaluationParts,
  project: string,
  signal: AbortSignal,
): Promise<{ signal: Signal; on: boolean; found_today: number }[]> {
  const [off, found] = await Promise.all([
    signalsOff(store, project),
    store.rows<{ signal: string; found: string }>(foundToday(projectIdOf(project), today()), {
      limits,
      signal,
    }),
  ])
  const known = new Set(off.get(project))
  return contract.SIGNALS.map((name) => ({
    ...{ signal: name, on: !known.has(name) },
    found_today: Number(found.find((one) => one.signal === name)?.found ?? 0),
  }))
}

function shown({ state, since, until, at, matched }: Backfill) {
  const progress = state === 'done' ? 1 : (until - at.started) / (until - since)
  return {
    ...{ state, since: isoOfMicros(since), until: isoOfMicros(until), at: isoOfMicros(at.started) },
    ...{ progress, matched },
  }
}
