/**
 * Formats texts with `{variables}` as Python's `str.format` does: `{name}`, `{name.key}`, `{name[0]}`, and doubled
 * braces for literal ones. Conversions and format specs are refused. Pure.
 */
import { type JsonTree, mapStrings, treeText } from '../platform/json/tree.js'
import { RowFailure } from './failure.js'

const PIECE = /\{\{|\}\}|\{([^{}]*)\}|[{}]/g
const FIELD = /^([^.[\]!:]*)((?:\.[^.[\]!:]+|\[[^[\]]+\])*)$/
const STEP = /\.([^.[\]]+)|\[([^[\]]+)\]/g

/** Letters that variables may add to a message: a text may name one thousands of times. */
const MOST_ADDED = 16_000_000

/** How many letters variables may still add. */
interface Room {
  left: number
}

/** Replaces the variables in `text`. @throws RowFailure for an unknown variable, or for too long a text */
export function format(
  text: string,
  variables: ReadonlyMap<string, JsonTree>,
  room: Room = { left: MOST_ADDED },
): string {
  return text.replaceAll(PIECE, (whole, field: string | undefined) => {
    if (whole === '{{') return '{'
    if (whole === '}}') return '}'
    if (field === undefined) throw bad('has a brace by itself; double it to write a literal brace')
    const value = shown(lookUp(field, variables))
    room.left -= value.length
    if (room.left < 0)
      throw bad('gets too long with its variables; name them less often, or send shorter ones')
    return value
  })
}

/** Formats every text in a message, at any depth. */
export function formatMessage(message: JsonTree, variables: ReadonlyMap<string, JsonTree>): JsonTree {
  const room = { left: MOST_ADDED }
  return mapStrings(message, (text) => format(text, variables, room))
}

function lookUp(field: string, variables: ReadonlyMap<string, JsonTree>): JsonTree {
  const [, name, rest = ''] = FIELD.exec(field) ?? []
  if (name === undefined || name === '')
    throw bad(`has {${field}}, which is no variable; double the braces to write literal ones`)
  if (!variables.has(name)) {
    const known = [...variables.keys()].sort().join(', ')
    throw bad(`names {${name}}, which does not exist; known are ${known === '' ? 'none' : known}`)
  }
  let here: JsonTree | undefined = variables.get(name)
  for (const [, key, index] of rest.matchAll(STEP)) {
    const step = key ?? index!
    if (here instanceof Map) here = here.get(step)
    else here = Array.isArray(here) ? here[Number(step)] : undefined
    if (here === undefined) throw bad(`names {${field}}, which does not exist`)
  }
  return here!
}

/** Shows texts, numbers, booleans and null as Python does, and other values as JSON. */
function shown(value: JsonTree): string {
  if (typeof value === 'string') return value
  if (value === null) return 'None'
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  return treeText(value)
}

function bad(what: string): RowFailure {
  return new RowFailure('BAD_TEMPLATE', `The prompt ${what}.`.slice(0, 1000))
}
