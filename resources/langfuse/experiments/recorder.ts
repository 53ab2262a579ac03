/**
 * Records Langfuse's experiments as evaluations: a run of items is a run of an evaluation, whose trials hold what became
 * of the items. SDKs up to version 4 link items of datasets to traces; all say in spans which items of an experiment
 * they are about.
 */
import { createHash } from 'node:crypto'
import { newestOf, rowsOfBoth } from '../../../domain/calls/read/visible.js'
import { PLACEHOLDERS } from '../../../domain/refs/placeholder-op.js'
import { groupBy } from '../../../platform/batch/group-by.js'
import { bind, sql } from '../../../platform/clickhouse/sql.js'
import { projectIdOf } from '../../../platform/ids/project.js'
import { membersOf, objectText } from '../../../platform/json/members.js'
import { JsonNumber, type JsonTree } from '../../../platform/json/tree.js'
import { Lru } from '../../../platform/lru/lru.js'
import { jsonAt, textAt } from '../../evaluation/call-row.js'
import { classValue } from '../../evaluation/create.js'
import { type Author, type Publisher, refOf } from '../../evaluation/publish.js'
import { meansOf } from '../../evaluation/results/means.js'
import type { Parts } from '../../parts.js'
import type { Datasets } from '../datasets/datasets.js'
import { rowText } from '../datasets/item.js'
import type { ItemStore } from '../datasets/item-store.js'
import type { WantedCalls } from './calls.js'
import { callsOfItems, itemCallsSince, type SaidCall, type SaidScore, scoresOf } from './found.js'
import { type Answer, itemCalls, type Run, type RunItem, runCall, runIdOf, saidValue } from './item.js'
import type { StoredRuns } from './runs.js'

/** Items that are read and written together. */
const MOST = 200
/** Items and scores of runs that are remembered as recorded. */
const REMEMBERED = 1_000_000

export class Recorder {
  /** runs that were deleted here: their spans are still there */
  private readonly deleted = new Set<string>()
  /** By run, marks of what is recorded of it: looks find most of it unchanged. */
  private readonly recorded = new Lru<ReadonlySet<string>>(REMEMBERED, (marks) => marks.size)

  constructor(
    private readonly parts: Parts,
    private readonly publisher: Publisher,
    private readonly calls: WantedCalls,
    private readonly runs: StoredRuns,
    private readonly datasets: Datasets,
    private readonly items: ItemStore,
  ) {}

  /** Links items of datasets to traces, of which nothing need be known yet. */
  async link(author: Author, linked: readonly { run: Run; item: RunItem }[]): Promise<void> {
    await this.holding(author.project, async () => {
      for (const some of groupBy(linked, ({ run }) => runIdOf(run)).values()) {
        const { run } = some[0]!
        this.deleted.delete(runIdOf(run))
        await this.write(
          author,
          run,
          some.map(({ item }) => item),
        )
      }
    })
  }

  /** Forgets a run. @param remove deletes what is stored of it */
  async forget(project: string, id: string, remove: () => Promise<unknown>): Promise<void> {
    await this.holding(project, async () => {
      this.deleted.add(id)
      this.recorded.delete(id)
      await remove()
    })
  }

  /**
   * Records what came of experiments.
   * @param since µs since the epoch of the oldest spans
   * @param linked ids of runs with linked items
   * @returns true if spans said something new
   */
  async record(author: Author, since: number, linked: ReadonlySet<string>): Promise<boolean> {
    const fresh = await this.spans(author, since)
    for (const id of linked) await this.linked(author, id)
    for (const id of new Set([...linked, ...fresh.keys()]))
      await this.holding(author.project, () => this.finish(author, id))
    // Not before all of it is stored.
    for (const [id, marks] of fresh)
      if (!this.deleted.has(id)) this.recorded.set(id, new Set([...(this.recorded.get(id) ?? []), ...marks]))
    return fresh.size > 0
  }

  /** Held for some items at a time: links of items wait for it. */
  private holding<T>(project: string, work: () => Promise<T>): Promise<T> {
    return this.parts.leases.hold(`langfuse-experiments/${projectIdOf(project)}`, work)
  }

  /** Records what spans say. @returns by run, marks of what it did not say before */
  private async spans(author: Author, since: number): Promise<Map<string, string[]>> {
    const projectId = projectIdOf(author.project)
    const fresh = new Map<string, string[]>()
    let last: SaidCall | undefined
    do {
      const spans = await itemCallsSince(this.parts.store, projectId, since, last, MOST)
      const runs = groupBy(spans, (span) => runIdOf(runOfSpan(author.project, span)))
      const [scores, ofRuns] = await Promise.all([
        this.scores(projectId, spans),
        this.scoresOfRuns(projectId, spans),
      ])
      for (const [id, some] of runs) {
        if (this.deleted.has(id)) continue
        const run = runOfSpan(author.project, some[0]!)
        const recorded = this.recorded.get(id)
        const isNew = (mark: string) => !recorded?.has(mark)
        const marked = some.map((span) => ({ span, mark: markOf([span, scores.get(span.id)]) }))
        const unknown = marked.filter(({ mark }) => isNew(mark))
        const ofRun = [markOf(ofRuns.get(run.experiment))].filter(isNew)
        if (unknown.length + ofRun.length === 0) continue
        const items = await this.itemsOfSpans(
          run,
          unknown.map(({ span }) => span),
          scores,
        )
        await this.holding(author.project, () => this.write(author, run, items))
        fresh.set(id, [...(fresh.get(id) ?? []), ...unknown.map(({ mark }) => mark), ...ofRun])
      }
      last = spans.length === MOST ? spans.at(-1) : undefined
    } while (last)
    return fresh
  }

  /** Records what became of the linked items of a run. */
  private async linked(author: Author, id: string): Promise<void> {
    const { store } = this.parts
    const projectId = projectIdOf(author.project)
    const run = await this.runs.run(author.project, id)
    if (!run || this.deleted.has(id)) return
    const items = await this.runs.items(author.project, id)
    for (let from = 0; from < items.length; from += MOST) {
      const some = items.slice(from, from + MOST)
      const ids = some.flatMap(({ observation }) => observation || [])
      const traces = some.flatMap(({ observation, trace }) => (observation === '' ? [trace] : []))
      const found = await callsOfItems(store, projectId, ids, traces)
      const scores = await this.scores(projectId, found)
      const byId = new Map(found.map((call) => [call.id, call]))
      const roots = new Map(found.flatMap((call) => (call.parent === '' ? [[call.trace, call]] : [])))
      const wanted = some.flatMap((item): RunItem[] => {
        const call = item.observation === '' ? roots.get(item.trace) : byId.get(item.observation)
        // Its call is stored, with its row.
        return call ? [{ ...item, example: 'null', answer: answerOf(call, scores) }] : []
      })
      await this.holding(author.project, () => this.write(author, run, wanted))
    }
  }

  /** Ends a run whose items all have ended, with the means of its scores and its own ones. */
  private async finish(author: Author, id: string): Promise<void> {
    const { store } = this.parts
    const projectId = projectIdOf(author.project)
    const run = await this.runs.run(author.project, id)
    if (!run) return
    const trials = rowsOfBoth(sql`id, ended_at, ver`, projectId, [sql`parent_id = ${bind.string(id)}`])
    const [means, state, scores] = await Promise.all([
      meansOf(store, projectId, id),
      store.row<{ first: number; last: number }>(sql`
        SELECT toUnixTimestamp64Micro(min(ended_at)) AS first, toUnixTimestamp64Micro(max(ended_at)) AS last
        FROM (${newestOf(sql`*`, trials)})`),
      scoresOf(store, projectId, [], [run.experiment]),
    ])
    if (Number(state?.first ?? 0) === 0) return
    const own = scores.map(({ name, value }): [string, string] => [name, value])
    const output = objectText(new Map([...membersOf(means), ...own]))
    const end = { endedAt: Number(state!.last), output }
    await this.calls.write(author, id, [runCall(run, run.evaluation, run.started, end)])
  }

  private async itemsOfSpans(
    run: Run,
    spans: readonly SaidCall[],
    scores: ReadonlyMap<string, readonly SaidScore[]>,
  ): Promise<RunItem[]> {
    const dataset = { project: projectIdOf(run.project), dataset: run.dataset }
    const ids = spans.map((span) => textAt(span.experiment, ['item', 'id']))
    const known = await this.items.items(dataset, run.dataset === '' ? [] : ids)
    return Promise.all(
      spans.map(async (span, i): Promise<RunItem> => {
        const stored = known.get(ids[i]!)
        const text = stored ? rowText(stored) : ''
        const example = text || exampleOf(span)
        const row = (text && stored?.row) || (await this.digestOf(example))
        const { trace, id: observation, started } = span
        return { item: ids[i]!, trace, observation, example, row, started, answer: answerOf(span, scores) }
      }),
    )
  }

  /** '' for a row that has no digest. */
  private digestOf(row: string): Promise<string> {
    return this.parts.workers.run('rowDigest', Buffer.from(row)).catch(() => '')
  }

  private async scores(projectId: string, calls: readonly SaidCall[]): Promise<Map<string, SaidScore[]>> {
    const ids = calls.map(({ id }) => id)
    return groupBy(await scoresOf(this.parts.store, projectId, ids, []), ({ call }) => call)
  }

  /** Scores of the experiments of these spans, by the experiment's id. */
  private async scoresOfRuns(
    projectId: string,
    spans: readonly SaidCall[],
  ): Promise<Map<string, SaidScore[]>> {
    const ids = new Set(spans.map(({ experiment }) => textAt(experiment, ['id'])))
    ids.delete('')
    return groupBy(await scoresOf(this.parts.store, projectId, [], [...ids]), ({ experiment }) => experiment)
  }

  /** Writes items of a run, and the run before them. */
  private async write(author: Author, run: Run, items: readonly RunItem[]): Promise<void> {
    const id = runIdOf(run)
    if (items.length === 0 || this.deleted.has(id)) return
    const stored = await this.runs.run(author.project, id)
    const evaluation = stored?.evaluation ?? (await this.evaluation(author, run))
    const started = Math.min(...items.map((item) => item.started))
    await this.calls.write(author, id, [
      ...(stored ? [] : [runCall(run, evaluation, started)]),
      ...items.flatMap((item) => itemCalls(run, evaluation, item)),
    ])
  }

  /** The ref of the evaluation that runs of a dataset are of. */
  private async evaluation(author: Author, run: Run): Promise<string> {
    const dataset = run.dataset === '' ? undefined : await this.datasets.latest(author.project, run.dataset)
    const id = dataset ? `${[...dataset.id].slice(0, LONGEST).join('')}-experiments` : 'langfuse-experiments'
    const ops = ['evaluate', 'predict_and_score', 'summarize'] as const
    const refs = await Promise.all(
      ops.map((op) => this.publisher.ownOp(author, `Evaluation.${op}`, PLACEHOLDERS[op])),
    )
    const digest = await this.publisher.object(
      author,
      id,
      classValue('Evaluation', [
        ['name', dataset ? `${dataset.name} experiments` : 'experiments'],
        ['description', null],
        ['dataset', dataset ? refOf(author.project, 'object', dataset.id, dataset.digest) : null],
        ['scorers', []],
        ['trials', new JsonNumber('1')],
        ['evaluation_name', null],
        ...ops.map((op, i): [string, JsonTree] => [op, refs[i]!]),
      ]),
    )
    return refOf(author.project, 'object', id, digest)
  }
}

/** Characters of a dataset's id in the id of its evaluation. */
const LONGEST = 110

const markOf = (said: unknown) =>
  createHash('sha256')
    .update(JSON.stringify(said ?? null))
    .digest('base64')

function runOfSpan(project: string, { experiment }: SaidCall): Run {
  const text = (...path: string[]) => textAt(experiment, path)
  return {
    ...{ project, dataset: text('dataset', 'id'), name: text('name'), experiment: text('id') },
    ...{ description: text('description') || null, metadata: jsonAt(experiment, ['metadata']) ?? 'null' },
  }
}

function exampleOf({ input, experiment }: SaidCall): string {
  const members = new Map([['input', input || 'null']])
  const expected = jsonAt(experiment, ['item', 'expected_output'])
  const metadata = jsonAt(experiment, ['item', 'metadata'])
  if (expected !== undefined) members.set('expected_output', saidValue(expected))
  if (metadata !== undefined) members.set('metadata', metadata)
  return objectText(members)
}

function answerOf(call: SaidCall, scores: ReadonlyMap<string, readonly SaidScore[]>): Answer {
  const { started, ended, input, output, exception } = call
  return { started, ended, input, exception, output: saidValue(output), scores: scores.get(call.id) ?? [] }
}
