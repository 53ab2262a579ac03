/** Values as tables: a list of objects has a row each, an object a row for each of its members at any depth. Pure. */
import { isInside } from '../api/json'
import { flatten } from './export'

export interface Cells {
  columns: string[]
  rows: unknown[][]
  /** more rows or columns than are shown */
  isPart: boolean
}

const MOST_ROWS = 500
const MOST_COLUMNS = 30

/** @returns undefined if the value makes no table */
export function tableOf(value: unknown): Cells | undefined {
  if (!isInside(value)) return undefined
  if (!Array.isArray(value)) {
    const rows = Object.entries(flatten(value))
    if (rows.length === 0) return undefined
    return { columns: ['key', 'value'], rows: rows.slice(0, MOST_ROWS), isPart: rows.length > MOST_ROWS }
  }
  if (value.length === 0) return undefined
  const isRow = (one: unknown): one is object => isInside(one) && !Array.isArray(one)
  const shown = value.slice(0, MOST_ROWS)
  const isPart = value.length > MOST_ROWS
  if (!shown.every(isRow)) return { columns: ['value'], rows: shown.map((one) => [one]), isPart }
  const flat = shown.map((one) => flatten(one))
  const columns = [...new Set(flat.flatMap((row) => Object.keys(row)))]
  return {
    columns: columns.slice(0, MOST_COLUMNS),
    rows: flat.map((row) => columns.slice(0, MOST_COLUMNS).map((name) => row[name])),
    isPart: isPart || columns.length > MOST_COLUMNS,
  }
}

const MARKUP =
  /^(?:#{1,6} \S|[-*] \S|\d{1,3}\. \S|> \S|```|\|.{1,200}\|\s*$)|\*\*[^*\n]{1,200}\*\*|\[[^\][\n]{1,200}\]\(https?:/m
/** Of a text, so much says whether it is marked up. */
const BEGINNING = 5_000

/** Whether a text was written to be shown as markdown, as the answers of models are. */
export const isMarkdown = (text: string): boolean => MARKUP.test(text.slice(0, BEGINNING))
