/** From the query of a purge to the ids it names. Pure. */
import type { Operand, Query } from '../../common/contract/query-expr.js'
import { errors } from '../../common/errors/catalog.js'

/**
 * The ids of `{$eq: [id, …]}`, `{$in: [id, […]]}`, or an `$or` of these. @throws 400 for anything else: what is
 * deleted should be told one by one
 */
export function purgedIds({ $expr }: Query): string[] {
  return [...new Set(idsOf($expr))]
}

function idsOf(expr: Operand): string[] {
  if ('$or' in expr) return expr.$or.flatMap(idsOf)
  if ('$eq' in expr && isId(expr.$eq[0])) return [literal(expr.$eq[1])]
  if ('$in' in expr && isId(expr.$in[0])) return expr.$in[1].map(literal)
  throw refusal()
}

function isId(operand: Operand): boolean {
  return '$getField' in operand && operand.$getField === 'id'
}

function literal(operand: Operand): string {
  if ('$literal' in operand && typeof operand.$literal === 'string') return operand.$literal
  throw refusal()
}

function refusal() {
  return errors.badRequest('Prices are purged by id: use $eq, $in or $or on the field "id", with texts.')
}
