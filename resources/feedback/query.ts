import type { FeedbackQueryReq } from '../../contract/feedback-read.js'
import type { Operand } from '../../contract/query-expr.js'
import { compileExpr } from '../../domain/expr/compile.js'
import { orderTerms } from '../../domain/expr/order.js'
import { subjectOf } from '../../domain/feedback/subject.js'
import { allOf, bind, commaList, type Sql, sql } from '../../platform/clickhouse/sql.js'
import { errors } from '../../platform/errors/catalog.js'
import { projectIdOf } from '../../platform/ids/project.js'
import { feedbackFields, feedbackLine, firstFeedbackLine } from './fields.js'

export interface List {
  /** a column `line` */
  rows: Sql
  /** one row of `count`; undefined: the number of lines */
  count: Sql | undefined
}

/** The field with the number of matches; requested alone, it is the only line. */
const COUNT = 'count(*)'

/**
 * @param isStrict the client refuses fields that it doesn't know
 * @throws 422 for an unknown field
 */
export function listOf(request: FeedbackQueryReq, isStrict = false): List {
  const { project_id: project, fields, sort_by } = request
  const from = sql`FROM feedback FINAL WHERE ${where(request)}`
  const limit = request.limit !== null && request.limit >= 0 ? request.limit : undefined
  const offset = Math.max(request.offset ?? 0, 0)
  const most = limit === undefined ? sql`` : sql`LIMIT ${bind.uint(limit)}`
  const skipped = offset > 0 ? sql`OFFSET ${bind.uint(offset)}` : sql``
  const counted = sql`SELECT count() AS count ${from}`
  if (fields?.length === 1 && fields[0]!.toLowerCase() === COUNT)
    return {
      rows: sql`SELECT concat('{"count(*)":', toString(count), '}') AS line FROM (${counted}) ${most} ${skipped}`,
      count: counted,
    }
  const line = isStrict && !fields?.length ? firstFeedbackLine(project) : feedbackLine(project, fields)
  return {
    rows: sql`SELECT ${line} AS line ${from}
    ORDER BY ${orderOf(project, sort_by ?? [])} ${most} ${skipped}`,
    count: limit === undefined && offset === 0 ? undefined : counted,
  }
}

function where({ project_id, query }: FeedbackQueryReq): Sql {
  const conditions = [sql`project_id = ${bind.string(projectIdOf(project_id))}`]
  if (query) conditions.push(...keyConditions(query.$expr, project_id))
  conditions.push(sql`deleted = 0`)
  if (query) conditions.push(sql`(${compileExpr(query.$expr, feedbackFields(project_id))})`)
  return allOf(conditions)
}

/**
 * Conditions on the table's key that follow from those on `weave_ref`: the key begins with the ref's call, so that the
 * feedback on one target is read without the rest.
 */
function keyConditions(expr: Operand, project: string): Sql[] {
  if ('$and' in expr) return expr.$and.flatMap((one) => keyConditions(one, project))
  const refs = refsIn(expr)
  if (!refs) return []
  const calls = refs.map((ref) => callOf(ref, project))
  return [sql`call_id IN ${bind.strings([...new Set(calls)])}`]
}

function callOf(ref: string, project: string): string {
  try {
    return subjectOf(ref, project).callId
  } catch {
    // A text that is not a ref has no feedback.
    return ''
  }
}

/** The refs of which `weave_ref` must be one. */
function refsIn(expr: Operand): string[] | undefined {
  if ('$eq' in expr) {
    const [left, right] = '$getField' in expr.$eq[0] ? expr.$eq : [expr.$eq[1], expr.$eq[0]]
    return ofWeaveRef(left, [right])
  }
  return '$in' in expr ? ofWeaveRef(expr.$in[0], expr.$in[1]) : undefined
}

function ofWeaveRef(field: Operand, list: readonly Operand[]): string[] | undefined {
  if (!('$getField' in field) || field.$getField !== 'weave_ref') return undefined
  const texts = list.flatMap((one) =>
    '$literal' in one && typeof one.$literal === 'string' ? [one.$literal] : [],
  )
  return texts.length === list.length ? texts : undefined
}

function orderOf(project: string, sortBy: NonNullable<FeedbackQueryReq['sort_by']>): Sql {
  const fields = feedbackFields(project)
  const terms = sortBy.flatMap(({ field, direction }) => {
    const value = fields(field)
    if (!value) throw errors.badField(field.slice(0, 200))
    return orderTerms(value, direction)
  })
  const asked = terms.map(({ value, direction }) =>
    direction === 'asc' ? sql`${value} ASC` : sql`${value} DESC`,
  )
  return commaList([...asked, sql`created_at ASC`, sql`id ASC`])
}
