// The walker's columns, as a file of its sources: those that `domain/calls/schema.ts` has, read from the syntax of its
// table, since it is made before anything is compiled.
import { readFileSync } from 'node:fs'
import { parseSync } from 'oxc-parser'

export const SCHEMA = 'domain/calls/schema.ts'

/** Bytes of a value in its column, by kind; 0: texts, which lie elsewhere. */
const SIZES = {
  time: 8,
  timeOrUnset: 8,
  uint64: 8,
  uint32: 4,
  // The place in the block's dictionary.
  sharedText: 2,
  uint8: 1,
  text: 0,
  textOrUnset: 0,
  json: 0,
}

const nameOf = ({ key }) => key.name ?? key.value

/** The rows of `COLUMNS`: names, with the values of their properties that are literals. */
function columnsOf(text) {
  const { program } = parseSync(SCHEMA, text)
  const table = program.body
    .flatMap(({ declarations = [] }) => declarations)
    .find(({ id }) => id.name === 'COLUMNS')
  let rows = table.init
  while (rows.type !== 'ObjectExpression') rows = rows.expression
  return rows.properties.map((row) => ({
    name: nameOf(row),
    ...Object.fromEntries(row.value.properties.map((one) => [nameOf(one), one.value.value])),
  }))
}

/** The text of `columns.ts`. */
export function columnsFile(text = readFileSync(SCHEMA, 'utf8')) {
  const walked = columnsOf(text).filter(({ name, walked }) => walked !== false && name !== 'leaves')
  const odd = walked.find(({ kind }) => SIZES[kind] === undefined)
  if (odd) throw new Error(`${SCHEMA}: the walker has no columns of the kind ${odd.kind} (${odd.name})`)
  const numbers = walked
    .filter(({ kind }) => SIZES[kind] > 0)
    .sort((a, b) => SIZES[b.kind] - SIZES[a.kind])
    .map(({ name, kind }) => ({ name, size: SIZES[kind] }))
  const texts = walked
    .filter(({ kind }) => SIZES[kind] === 0)
    .sort((a, b) => Number(a.wide > 0) - Number(b.wide > 0))
  const after = ({ name, size }) => `${name} + ROWS${size > 1 ? ` * ${size}` : ''}`
  return `// Made from ${SCHEMA} by scripts/walker-columns.mjs.
import { ROW_COLUMNS, ROWS } from './memory'

/** By row: columns of numbers. */
${numbers.map(({ name }, i) => `export const ${name}: usize = ${i === 0 ? 'ROW_COLUMNS' : after(numbers[i - 1])}`).join('\n')}

/** What is known of each text column: four numbers. Those that may be wide come last. */
export const TEXT_STATE: usize = ${after(numbers.at(-1))}
${texts.map(({ name }, i) => `export const ${name}: usize = TEXT_STATE + ${i} * 16`).join('\n')}
export const COLUMNS_END: usize = TEXT_STATE + ${texts.length} * 16
export const TEXT_COLUMNS: i32 = ${texts.length}
export const FIRST_WIDE: i32 = ${texts.findIndex(({ wide }) => wide > 0)}
`
}
