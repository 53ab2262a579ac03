/** Reads an object's kind (op or object) and classes from its value. Pure. */
import type { JsonTree } from '../../platform/json/tree.js'

export type Kind = 'object' | 'op'

export interface Classes {
  kind: Kind
  /** null: none */
  base: string | null
  /** null: none */
  leaf: string | null
}

/** Kind and classes of a value. */
export function classesOf(val: JsonTree): Classes {
  if (!(val instanceof Map)) return { kind: 'object', base: null, leaf: null }
  return { kind: isOp(val) ? 'op' : 'object', ...inherited(val) }
}

function isOp(val: Map<string, JsonTree>): boolean {
  const type = val.get('weave_type')
  return val.get('_type') === 'CustomWeaveType' && type instanceof Map && type.get('type') === 'Op'
}

/** `_bases` names a class's bases, nearest first; the last two are the roots of the SDK's own classes. */
function inherited(val: Map<string, JsonTree>): { base: string | null; leaf: string | null } {
  const none = { base: null, leaf: null }
  const bases = val.get('_bases')
  if (!Array.isArray(bases) || bases.length < 2) return none
  const root = bases.at(-2)
  if (bases.at(-1) !== 'BaseModel' || (root !== 'Object' && root !== 'BaseObject')) return none
  const name = val.get('_class_name')
  const leaf = typeof name === 'string' ? name : null
  const base = bases.at(-3) ?? leaf
  return { base: typeof base === 'string' ? base : null, leaf }
}
