/** Reads where the attributes of a project's spans stand, for those who ask for attributes. */
import type { Sql } from '../../../platform/clickhouse/sql.js'
import {
  MOST_SHAPES,
  type Shape,
  type SpanPlaces,
  shapesStatement,
  spanPlaces,
  wholeSpanStatement,
} from '../span-places.js'

/**
 * @param projectId internal
 * @param rows runs a statement
 * @returns undefined: the spans have too many shapes
 */
export async function readPlaces(
  projectId: string,
  rows: <Row>(statement: Sql) => Promise<Row[]>,
): Promise<SpanPlaces | undefined> {
  const shapes = await rows<Shape>(shapesStatement(projectId))
  if (shapes.length > MOST_SHAPES) return undefined
  const mayBeWhole = shapes.some(({ text }) => text === '')
  const whole = mayBeWhole ? await rows(wholeSpanStatement(projectId)) : []
  return spanPlaces(shapes, whole.length > 0)
}

/**
 * What `plan` makes of the places, which are only read if it asks for one: it is called once to see, and again with them.
 * @param projectId internal
 * @param rows runs a statement
 */
export async function withPlaces<Plan>(
  projectId: string,
  rows: <Row>(statement: Sql) => Promise<Row[]>,
  plan: (places: SpanPlaces | undefined) => Plan,
): Promise<Plan> {
  let asks = false
  const made = plan(() => {
    asks = true
    return undefined
  })
  return asks ? plan(await readPlaces(projectId, rows)) : made
}
