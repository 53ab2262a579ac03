/** Who annotated how much of a queue, and how far annotators agree. */
import type { AnnotatorProgress, QuestionAgreement } from '../../contract/annotation.js'
import { usernamesOf } from '../../domain/auth/usernames.js'
import { bind, type Sql, sql } from '../../platform/clickhouse/sql.js'
import type { Limits, Store } from '../../platform/clickhouse/store.js'
import { projectIdOf } from '../../platform/ids/project.js'

const MOST_ANNOTATORS = 1000

/** What annotators answered to a question, added up over the calls that two or more of them answered it for. */
interface Answers {
  feedback_type: string
  items: number
  answers: number
  /** pairs of answers to one call, and those of them that are equal; each pair counts twice */
  pairs: number
  equal: number
  /** pairs that differ, weighted so that each answer counts once */
  differing: number
  /** the sum of the squares of how often each value was answered */
  squares: number
}

export class Annotators {
  constructor(
    private readonly store: Store,
    private readonly limits: Limits,
  ) {}

  /** Who is done with most items first. */
  async progress(project: string, queueId: string): Promise<AnnotatorProgress[]> {
    const rows = await this.store.rows<Omit<AnnotatorProgress, 'username'>>(sql`
      SELECT annotator_id AS user_id, countIf(state = 'completed') AS completed_items,
        countIf(state = 'skipped') AS skipped_items, countIf(state = 'in_progress') AS in_progress_items
      FROM annotation_progress FINAL
      WHERE project_id = ${bind.string(projectIdOf(project))} AND queue_id = ${bind.string(queueId)}
      GROUP BY annotator_id
      ORDER BY completed_items DESC, skipped_items DESC, user_id LIMIT ${bind.uint(MOST_ANNOTATORS)}`)
    const names = await usernamesOf(
      this.store,
      rows.map(({ user_id }) => user_id),
    )
    return rows.map((row) => ({ ...row, username: names.get(row.user_id) ?? null }))
  }

  /** The agreement on each question that two annotators answered for the same call. */
  async agreement(project: string, queueId: string): Promise<QuestionAgreement[]> {
    const rows = await this.store.rows<Answers>(sumAnswers(projectIdOf(project), queueId), {
      limits: this.limits,
    })
    return rows.map(agreementOf)
  }
}

/** SQL of {@link Answers}; of what an annotator answered again, the newest counts. */
export function sumAnswers(projectId: string, queueId: string): Sql {
  const project = bind.string(projectId)
  const queue = bind.string(queueId)
  return sql`SELECT question AS feedback_type, count() AS items, sum(n) AS answers, sum(n * (n - 1)) AS pairs,
    sum(same - n) AS equal, sum((n * n - same) / (n - 1)) AS differing,
    arraySum(total -> total * total, sumMap(given, times).2) AS squares
  FROM (
    SELECT question, call_id, sum(c) AS n, sum(c * c) AS same, groupArray(value) AS given, groupArray(c) AS times
    FROM (
      SELECT question, call_id, value, count() AS c
      FROM (
        SELECT feedback_type AS question, call_id, user_id,
          argMax(JSONExtractRaw(payload, 'value'), (created_at, id)) AS value
        FROM feedback FINAL
        WHERE project_id = ${project} AND queue_id = ${queue} AND deleted = 0 AND annotation_ref != ''
          AND call_id IN (SELECT call_id FROM annotation_queue_items WHERE project_id = ${project} AND queue_id = ${queue})
        GROUP BY question, call_id, user_id
      )
      GROUP BY question, call_id, value
    )
    GROUP BY question, call_id HAVING n > 1
  )
  GROUP BY question ORDER BY question`
}

/** The share of equal pairs, and Krippendorff's alpha for nominal values; null where only one value was answered. */
function agreementOf(sums: Answers): QuestionAgreement {
  const { feedback_type, items, answers, pairs, equal, differing, squares } = sums
  const expected = (answers * answers - squares) / (answers - 1)
  return {
    feedback_type,
    items,
    agreement: equal / pairs,
    alpha: expected === 0 ? null : 1 - differing / expected,
  }
}
