/** The table of docs/frameworks/README.md, made of the rows that the tests hold. */
import { readFileSync } from 'node:fs'
import { outlineFile } from './outline.js'
import { versionOf } from './places.js'
import { LIBRARIES, PAGES, type Row } from './rows.js'

const HEAD = `| | Tried | Tree | Messages | Tokens | Cost | Session | User | Errors |
|---|---|---|---|---|---|---|---|---|`
/** A request to a model, or a call of a tool, that failed. */
const CALL_ERROR = /\b(llm|generation|chat_model|tool)\b.* ! /i
const TABLE = /\| \| Tried \|[\s\S]*?(?=\n\n)/

/** The text of the page with the table that the tests see. */
export const readmeWith = (readme: string): string =>
  readme.replace(TABLE, () => [HEAD, ...rows()].join('\n'))

const rows = () => [
  ...Object.entries(PAGES).map(([page, row]) => lineOf(row, page, `[${row.framework}](${page})`)),
  ...Object.entries(LIBRARIES).map(([program, row]) => lineOf(row, program, row.framework)),
]

function lineOf({ packages, place }: Row, key: string, name: string): string {
  const lines = readFileSync(outlineFile(key), 'utf8').trim().split('\n')
  const some = (pattern: RegExp) => lines.some((line) => pattern.test(line))
  const yes = (is: boolean) => (is ? 'yes' : 'no')
  const all = (lacking: RegExp) => {
    const without = lines.filter((line) => lacking.test(line)).length
    return without > 0 && without < lines.length ? 'partly' : yes(without === 0)
  }
  // Each program asks what is refused; a few libraries leave it to the caller's own span to say so.
  const errors = some(CALL_ERROR) ? 'yes' : some(/ ! /) ? 'partly' : 'no'
  const cells = [
    ...[name, packages.map((one) => `${one} ${versionOf(place, one)}`).join(', ')],
    ...[yes(some(/^ /)), yes(some(/question(?!~).*answer(?!~)/)), yes(some(/\d\+\d/)), yes(some(/\$/))],
    ...[all(/\(session /), all(/\(user /), errors],
  ]
  return `| ${cells.join(' | ')} |`
}
