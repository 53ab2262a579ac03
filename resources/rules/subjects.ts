/** What matches are about, as people see it. */

import { refIn } from '../../contract/ref.js'
import type { RuleSubject, RuleTrigger } from '../../contract/rules.js'
import { CallReader } from '../../domain/calls/read/reader.js'
import { newestOf, rowsOfBoth } from '../../domain/calls/read/visible.js'
import { nameIn } from '../../domain/refs/op-name.js'
import { bind, sql } from '../../platform/clickhouse/sql.js'
import type { EvaluationParts } from '../evaluation/parts.js'
import { runViews } from '../evaluation/run-view.js'
import type { Match as Call } from '../monitoring/statements.js'
import { type Match, made } from './match.js'

type Pending = readonly [id: string, match: Match]

export class Subjects {
  private readonly reader: CallReader

  constructor(private readonly parts: Pick<EvaluationParts, 'store' | 'limits'>) {
    this.reader = new CallReader(parts.store, parts.limits)
  }

  /** The match of a call that meets the condition of a trigger. */
  ofCall(trigger: RuleTrigger, { id, trace_id, op, written }: Call): Match {
    const at = Number(written)
    if (trigger.type === 'evaluation') {
      const subject = { type: 'evaluation_run' as const, id, name: '', detail: null, trace_id: null }
      return { key: made.evaluation(id), made: made.evaluation(id), at, subject }
    }
    const subject = { type: 'call' as const, id, name: nameIn(op), detail: null, trace_id }
    return { key: `call ${id}`, made: '', at, subject }
  }

  /**
   * The matches with the names of their subjects, without those of calls that are gone, or that an evaluation of this
   * service made. @param projectId internal
   */
  async whole(projectId: string, matches: readonly Pending[]): Promise<Pending[]> {
    const named = await Promise.all([this.ofScores(projectId, matches), this.ofRuns(projectId, matches)])
    const subjects = new Map(named.flat())
    return matches.flatMap(([id, match]): Pending[] => {
      if (match.subject.name !== '') return [[id, match]]
      const subject = subjects.get(match.subject.id)
      return subject ? [[id, { ...match, subject: { ...match.subject, ...subject } }]] : []
    })
  }

  private async ofScores(
    projectId: string,
    matches: readonly Pending[],
  ): Promise<[string, Partial<RuleSubject>][]> {
    const ids = unnamed(matches, 'call')
    if (ids.length === 0) return []
    const rows = rowsOfBoth(sql`id, ended_at, op_name, trace_id, ver`, projectId, [
      sql`id IN ${bind.strings(ids)}`,
      sql`trace_id NOT IN (SELECT id FROM evaluation_jobs WHERE project_id = ${bind.string(projectId)})`,
    ])
    const found = await this.parts.store.rows<{ id: string; op: string; trace: string }>(
      newestOf(sql`id, toString(op_name) AS op, trace_id AS trace`, rows),
    )
    return found.map(({ id, op, trace }) => [id, { name: nameIn(op) || 'call', trace_id: trace }])
  }

  private async ofRuns(
    projectId: string,
    matches: readonly Pending[],
  ): Promise<[string, Partial<RuleSubject>][]> {
    const ids = unnamed(matches, 'evaluation_run')
    if (ids.length === 0) return []
    const views = await runViews(this.reader, projectId, { ids })
    return views.map(({ evaluation_run_id: id, evaluation, status }) => {
      const ref = refIn(evaluation)
      return [id, { name: (ref?.kind === 'object' && ref.name) || 'evaluation', detail: status }]
    })
  }
}

function unnamed(matches: readonly Pending[], type: RuleSubject['type']): string[] {
  const those = matches.filter(([, { subject }]) => subject.type === type && subject.name === '')
  return [...new Set(those.map(([, { subject }]) => subject.id))]
}
