/** A short table, whose rows are all in the page; a long one is `grid.tsx`. */
import type { ReactNode } from 'react'
import { NextPage, type Pages } from './button'
import { count, money } from './format'
import { Failed, Loading } from './states'
import { Time } from './time'

export interface Column<Row> {
  title: ReactNode
  cell: (row: Row) => ReactNode
  /** stands at the right */
  isNumber?: boolean
  isMuted?: boolean
  isBad?: (row: Row) => boolean
  /** not on a phone */
  isWide?: boolean
  className?: string
}

interface TableProps<Row> {
  label?: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  keyOf: (row: Row, index: number) => string
  isChosen?: (row: Row) => boolean
  className?: string
}

export function Table<Row>({ label, columns, rows, keyOf, isChosen, className = '' }: TableProps<Row>) {
  return (
    <table className={`table ${className}`} {...(label !== undefined && { 'aria-label': label })}>
      <thead>
        <tr>
          {columns.map((column, i) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a column is its place
            <th key={i} className={classOf(column)}>
              {column.title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row, at) => (
          <tr key={keyOf(row, at)} {...(isChosen && { 'aria-selected': isChosen(row) })}>
            {columns.map((column, i) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a column is its place
              <td key={i} className={classOf(column, row)}>
                {column.cell(row)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function classOf<Row>(column: Column<Row>, row?: Row): string | undefined {
  const { isNumber, isMuted, isBad, isWide, className } = column
  const names = [
    isNumber && 'right',
    isWide && 'wide',
    row !== undefined && (isBad?.(row) ? 'bad' : isMuted && 'muted'),
    row !== undefined && className,
  ]
  return names.filter(Boolean).join(' ') || undefined
}

type Query = { error: Error | null; refetch: () => unknown } & Partial<Pages>

/** What a query found, or what is shown in its place. @param props.empty where it found nothing */
export function TableOf<Row>({
  query,
  rows,
  empty,
  more,
  ...table
}: Omit<TableProps<Row>, 'rows'> & {
  query: Query
  /** undefined: not there yet */
  rows: readonly Row[] | undefined
  empty: ReactNode
  /** on the button that reads on */
  more?: string
}) {
  if (query.error) return <Failed error={query.error} retry={() => void query.refetch()} />
  if (rows === undefined) return <Loading />
  return (
    <>
      {rows.length === 0 ? empty : <Table rows={rows} {...table} />}
      <NextPage of={query}>{more}</NextPage>
    </>
  )
}

/** A column of times, as seen from now. */
export const timeColumn = <Row,>(
  title: string,
  at: (row: Row) => string | null | undefined,
  more: Partial<Column<Row>> = {},
): Column<Row> => ({
  title,
  isMuted: true,
  ...more,
  cell: (row) => {
    const time = at(row)
    return time && <Time at={time} relative />
  },
})

/** A column of US dollars; null: no price is known. */
export const costColumn = <Row,>(cost: (row: Row) => number | null | undefined): Column<Row> => ({
  title: 'Cost',
  isNumber: true,
  cell: (row) => {
    const dollars = cost(row)
    return dollars === null || dollars === undefined ? '' : money(dollars)
  },
})

/** A column of how many calls failed. */
export const errorsColumn: Column<{ error_count: number }> = {
  title: 'Errors',
  isNumber: true,
  isBad: ({ error_count: errors }) => errors > 0,
  cell: ({ error_count: errors }) => count(errors),
}

/** A column of tokens; empty where there are none. */
export const tokensColumn = <Row,>(tokens: (row: Row) => number): Column<Row> => ({
  title: 'Tokens',
  isNumber: true,
  cell: (row) => (tokens(row) > 0 ? count(tokens(row)) : ''),
})
