/**
 * Where the attributes of spans stand among the values of `otel_span`. A span's text is put together of five columns, which
 * costs microseconds a row; the shape alone says which of the values an attribute is. Pure.
 */
import { bind, type Sql, sql } from '../../platform/clickhouse/sql.js'
import { rawAt, readable } from '../expr/json-text.js'
import { callsOf } from './calls-of.js'
import { MARKS } from './otel-span.js'

/** A shape that some of a project's spans have. */
export interface Shape {
  text: string
  /** cityHash64 of `text`, in decimal */
  hash: string
}

/** Where an attribute is: by shape the number of its value, from 1 on. What is left of the path leads into that value. */
export interface SpanPlace {
  readonly hashes: readonly string[]
  readonly numbers: readonly number[]
  readonly rest: readonly string[]
  /** some of the project's spans are whole texts, without a shape */
  readonly hasWhole: boolean
}

/** The place of the attribute at a path; undefined if the whole text has to be read for it. */
export type SpanPlaces = (path: readonly string[]) => SpanPlace | undefined

/** More shapes than a project has where instrumentations made its spans. */
export const MOST_SHAPES = 4000

/**
 * The shapes of a project's spans, and one more than {@link MOST_SHAPES} if there are too many. That of calls without a span and
 * of those whose text is whole is ''. @param projectId internal id
 */
export function shapesStatement(projectId: string): Sql {
  const shapes = sql`SELECT DISTINCT otel_shape AS text FROM ${callsOf(projectId)} WHERE project_id = ${bind.string(projectId)}`
  return sql`SELECT text, toString(cityHash64(text)) AS hash FROM (${shapes}) LIMIT ${bind.uint(MOST_SHAPES + 1)}`
}

/** A row if the text of a span is whole. */
export function wholeSpanStatement(projectId: string): Sql {
  return sql`SELECT 1 FROM ${callsOf(projectId)} PREWHERE project_id = ${bind.string(projectId)} AND otel_shape = ''
    WHERE otel_span != '' LIMIT 1`
}

/** A value of a span. */
interface PlacedValue {
  /** its JSON text; '' where it is absent */
  document: Sql
  /** the same as it is stored: the engine's parser may reject a number in an object or a list */
  stored: Sql
  /** a cheap condition that is true where it is not absent */
  present: Sql
  /** NULL where it is none; undefined: it must be read from the text */
  number?: Sql
}

/** The value that a place leads to. @param path of the attribute; its last parts are the place's `rest` */
export function placedValue(place: SpanPlace, path: readonly string[]): PlacedValue {
  const { hashes, numbers, rest, hasWhole } = place
  const wholeText = rawAt({
    document: sql`otel_span`,
    path: ['attributes', ...path.slice(0, path.length - rest.length)],
  })
  if (hashes.length === 0)
    return hasWhole
      ? asStored(sql`if(otel_shape = '', ${wholeText}, '')`, sql`otel_shape = ''`)
      : asStored(sql`''`, sql`0`)
  const number = sql`transform(cityHash64(otel_shape), ${bind.uints(hashes)}, ${bind.uints(numbers)}, toUInt64(0))`
  const value = sql`splitByChar('\\x01', otel_span)[${number}]`
  // Only an object or a list can hold a number that the engine's parser rejects; looking for one in every value costs more
  // than all the rest.
  const holdsOthers = sql`startsWith(${value}, '{') OR startsWith(${value}, '[')`
  if (hasWhole)
    return {
      document: sql`multiIf(otel_shape = '', ${wholeText}, ${holdsOthers}, ${readable(value)}, ${value})`,
      stored: sql`if(otel_shape = '', ${wholeText}, ${value})`,
      present: sql`(${number} != 0 OR otel_shape = '')`,
    }
  return {
    document: sql`if(${holdsOthers}, ${readable(value)}, ${value})`,
    stored: value,
    present: sql`${number} != 0`,
    ...(rest.length === 0 && { number: numberAt(number) }),
  }
}

const asStored = (document: Sql, present: Sql): PlacedValue => ({ document, stored: document, present })

/** The number at a position; NULL: it is none, or the position is 0. */
function numberAt(position: Sql): Sql {
  const found = sql`span_numbers[${position}]`
  return sql`if(${position} = 0 OR isNaN(${found}), NULL, ${found})`
}

/** @param shapes all that the project's spans have @param hasWhole the text of some is whole */
export function spanPlaces(shapes: readonly Shape[], hasWhole: boolean): SpanPlaces {
  const trees = shapes
    .filter(({ text }) => text !== '')
    .map(({ text, hash }) => ({ hash, attributes: attributesOf(text) }))
  return (path) => {
    const hashes: string[] = []
    const numbers: number[] = []
    let rest: readonly string[] = []
    for (const { hash, attributes } of trees) {
      const found = walk(attributes, path)
      if (found === 'absent') continue
      if (found === 'elsewhere' || (hashes.length > 0 && found.left !== rest.length)) return undefined
      hashes.push(hash)
      numbers.push(found.number)
      rest = path.slice(path.length - found.left)
    }
    return { hashes, numbers, rest, hasWhole }
  }
}

/** A value's number, `null` for what stands in another column, or what is around them. */
type Node = number | null | Node[] | { [key: string]: Node }

/** The attributes of a shape, each with the number of its value. */
function attributesOf(shape: string): Node {
  let number = 0
  let text = ''
  for (const character of shape) {
    if (character === MARKS.value) text += ++number
    else if (CUTS.has(character)) text += 'null'
    // The others stand within quotes.
    else if (character >= ' ') text += character
  }
  return (JSON.parse(`${text}}`) as { attributes: Node }).attributes
}

const CUTS = new Set<string>([MARKS.inputs, MARKS.inputsValue, MARKS.output, MARKS.outputValue])

function walk(
  attributes: Node,
  path: readonly string[],
): 'absent' | 'elsewhere' | { number: number; left: number } {
  let node = attributes
  for (const [i, part] of path.entries()) {
    if (node === null) return 'elsewhere'
    if (typeof node === 'number') return { number: node, left: path.length - i }
    // As in other JSON, digits are a position in a list, and nothing else is.
    const isPosition = /^\d{1,9}$/.test(part)
    if (isPosition !== Array.isArray(node)) return 'absent'
    const next: Node | undefined = Array.isArray(node)
      ? node[Number(part)]
      : Object.hasOwn(node, part)
        ? node[part]
        : undefined
    if (next === undefined) return 'absent'
    node = next
  }
  return typeof node === 'number' ? { number: node, left: 0 } : 'elsewhere'
}
