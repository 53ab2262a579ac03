/** The table of docs/frameworks/README.md, made of the rows and the outlines that the tests hold. */
import { readFileSync } from 'node:fs'
import { outlineFile } from './outline.js'
import { pinnedOf } from './places.js'
import { COLUMNS, type Column, LIBRARIES, PAGES, type Row } from './rows.js'
import { wrongSums } from './sums.js'

type Cell = 'yes' | 'partly' | 'no'

const HEAD = ['', 'Tried', ...COLUMNS, 'Otherwise']
const TABLE = /^\| \| Tried \|[\s\S]*?(?=\n\n)/m

/** What is asked of a model, and what a tool does. */
const REQUEST = /^\s*\S+ (llm|generation|chat_model)\b/i
const TOOL = /^\s*\S+ tool\b/i
const MODEL = /^\s*\S+ \S+ \S*(gpt-4o|claude-sonnet-4-5|gemini-2\.5-flash)\b/

/** The text of the page with the table that the tests see. */
export const readmeWith = (readme: string): string =>
  readme.replace(TABLE, () => [lineWith(HEAD), lineWith(HEAD.map(() => '---')), ...rows()].join('\n'))

const rows = () => [
  ...Object.entries(PAGES).map(([page, row]) => lineOf(row, page, `[${row.framework}](${page})`)),
  ...Object.entries(LIBRARIES).map(([program, row]) => lineOf(row, program, row.framework)),
]

function lineOf({ packages, place, lacks = {} }: Row, key: string, name: string): string {
  const tried = packages.map((one) => pinnedOf(place, one)).join(', ')
  const reasons = [...new Set(Object.values(lacks))].join('; ')
  return lineWith([name, tried, ...Object.values(cellsOf(key)), reasons])
}

const lineWith = (cells: readonly string[]) =>
  `|${cells.map((cell) => (cell ? ` ${cell} ` : ' ')).join('|')}|`

/** What the outline of a page or program has of each column. */
export function cellsOf(key: string): Record<Column, Cell> {
  const lines = readFileSync(outlineFile(key), 'utf8').trim().split('\n')
  const requests = lines.filter((line) => REQUEST.test(line))
  const some = (pattern: RegExp) => (lines.some((line) => pattern.test(line)) ? 'yes' : 'no')
  const all = (among: string[], has: (line: string) => boolean): Cell => {
    const having = among.filter(has).length
    return having === 0 ? 'no' : having < among.length ? 'partly' : 'yes'
  }
  // What counts twice is told, too.
  const counted = (cell: Cell): Cell =>
    cell === 'yes' && wrongSums(lines.join('\n')).length > 0 ? 'partly' : cell
  const failed = lines.filter((line) => / ! /.test(line))
  const failedCalls = failed.filter((line) => REQUEST.test(line) || TOOL.test(line))
  return {
    Tree: some(/^ /),
    Messages: some(/question(?!~).*answer(?!~)/),
    Model: all(requests, (line) => MODEL.test(line)),
    Kind: requests.length > 0 ? 'yes' : some(TOOL),
    Tokens: counted(some(/\d\+\d/)),
    Cost: counted(some(/\$/)),
    Session: all(lines, (line) => !/\(session /.test(line)),
    User: all(lines, (line) => !/\(user /.test(line)),
    // Each program asks what is refused; a few libraries leave it to the caller's own span to say so.
    Errors: failedCalls.length > 0 ? 'yes' : failed.length > 0 ? 'partly' : 'no',
  }
}
