/** What a field of a request does. */
import type { Row } from '../../support/api.js'

/** A request with the field, and a part of the answer that is another without it. */
export interface Case {
  /** `sort_by[].field` */
  field: string
  body: object
  /** default: that of the route */
  view?: (answer: Row) => unknown
  sees?: unknown
  /** the field is only checked: this is refused, and answered without it */
  refused?: number
  /** the field is taken and says nothing */
  ignored?: true
}

export interface Route {
  path: string
  method?: 'POST' | 'PUT'
  view: (answer: Row) => unknown
  cases: readonly Case[]
}

/** A list of an answer, each item made of what is named. */
export const list =
  (name: string, item: (row: Row) => unknown) =>
  (answer: Row): unknown[] =>
    (answer[name] as Row[]).map(item)

export const eq = (field: string, value: unknown) => ({
  $expr: { $eq: [{ $getField: field }, { $literal: value }] },
})
