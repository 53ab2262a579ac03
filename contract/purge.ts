/** Extracts the ids from the query of a purge. Pure. */

import { errors } from '../platform/errors/catalog.js'
import type { Operand, Query } from './query-expr.js'

/** What is purged, as the start of a sentence. */
interface Purged {
  subject: 'Prices are' | 'Feedback is'
  /** allows `$in` */
  in: boolean
}

/**
 * The ids of `{$eq: [id, …]}`, `{$in: [id, […]]}`, or an `$or` of these. @throws 400 for anything else: a purge must
 * name each id
 */
export function purgedIds({ $expr }: Query, purged: Purged): string[] {
  return [...new Set(idsOf($expr, purged))]
}

function idsOf(expr: Operand, purged: Purged): string[] {
  if ('$or' in expr) return expr.$or.flatMap((one) => idsOf(one, purged))
  if ('$eq' in expr && isId(expr.$eq[0])) return [literal(expr.$eq[1], purged)]
  if ('$in' in expr && purged.in && isId(expr.$in[0])) return expr.$in[1].map((one) => literal(one, purged))
  throw refusal(purged)
}

function isId(operand: Operand): boolean {
  return '$getField' in operand && operand.$getField === 'id'
}

function literal(operand: Operand, purged: Purged): string {
  if ('$literal' in operand && typeof operand.$literal === 'string') return operand.$literal
  throw refusal(purged)
}

function refusal(purged: Purged) {
  const operators = purged.in ? '$eq, $in or $or' : '$eq, or $or of these,'
  return errors.badRequest(`${purged.subject} purged by id: use ${operators} on the field "id", with texts.`)
}
