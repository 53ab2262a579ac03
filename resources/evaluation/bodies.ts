/**
 * Reads and checks the bodies of evaluations' routes: the work that is slow for large bodies and needs no store, so that
 * it may run in a thread. User data stays JSON text. Throws the caller's errors. Pure.
 */
import type { z } from 'zod'
import * as objects from '../../contract/evaluation-objects.js'
import * as runs from '../../contract/evaluation-runs.js'
import { objectDigest } from '../../domain/refs/digest.js'
import { refsToInternal } from '../../domain/refs/refs.js'
import { ValidationError } from '../../platform/errors/error.js'
import { validate } from '../../platform/http/json-body.js'
import { bodyFields, bodyTree, reading } from '../../platform/http/lossless.js'
import { membersOf, objectText } from '../../platform/json/members.js'
import { minify } from '../../platform/json/minify.js'
import type { Slice } from '../../platform/json/scan.js'
import { parseTree, treeText, treeValue } from '../../platform/json/tree.js'
import { type Classes, classesOf } from '../objects/classes.js'
import { tableAt } from '../tables/prepare.js'
import type { RowSet } from '../tables/rows.js'

/** A parsed body, and the JSON texts of its fields with user data. */
interface Split<Body, Kept extends string> {
  body: Omit<Body, Kept>
  texts: Partial<Record<Kept, string>>
}

/** Reads a body. The fields `kept` stay text; only their kind of value is checked. */
export function split<S extends z.ZodType, Kept extends string = never>(
  bytes: Uint8Array,
  schema: S,
  ...kept: Kept[]
): Split<z.output<S>, Kept> {
  const fields = bodyFields(bytes)
  const isKept = (name: string): name is Kept => kept.includes(name as Kept)
  const plain: [string, unknown][] = []
  const texts: Partial<Record<Kept, string>> = {}
  for (const [name, slice] of fields) {
    if (isKept(name)) texts[name] = textAt(bytes, slice)
    plain.push([name, isKept(name) ? emptied(bytes, slice) : valueAt(bytes, slice)])
  }
  const body: Record<string, unknown> = { ...(validate(schema, Object.fromEntries(plain), 'body') as object) }
  for (const name of kept) delete body[name]
  return { body: body as Omit<z.output<S>, Kept>, texts }
}

function textAt(bytes: Uint8Array, { from, to }: Slice): string {
  return Buffer.from(minify(bytes.subarray(from, to))).toString()
}

function valueAt(bytes: Uint8Array, { from, to }: Slice): unknown {
  return treeValue(reading(() => parseTree(bytes.subarray(from, to))))
}

/** A substitute for user data while the rest is validated: an empty object or list, else the value itself. */
function emptied(bytes: Uint8Array, slice: Slice): unknown {
  const first = bytes[slice.from]
  return first === 0x7b ? {} : first === 0x5b ? [] : valueAt(bytes, slice)
}

/** The error of {@link validate} for a missing field of any type. */
function missing(field: string): ValidationError {
  return new ValidationError([{ loc: ['body', field], msg: 'Field required', type: 'missing' }])
}

/** A value that can be published. */
export interface NewValue {
  digest: string
  /** JSON in internal form */
  text: string
  classes: Classes
  /** projects of refs in it */
  projects: string[]
}

/** The JSON text of an object's value. @throws `BAD_BODY` (400) for a number that has no digest, or too many values */
function readValue(bytes: Uint8Array): NewValue {
  const projects = new Set<string>()
  const internal = refsToInternal(bodyTree(bytes), (name) => projects.add(name))
  return {
    digest: reading(() => objectDigest(internal)),
    text: treeText(internal),
    classes: classesOf(internal),
    projects: [...projects],
  }
}

export interface NewDataset {
  name: string | null
  description: string | null
  /** the table's digest */
  digest: string
  /** the index in `rows` of the row at each position */
  order: Uint32Array<ArrayBuffer>
  rows: RowSet
  projects: string[]
}

function readDataset(bytes: Uint8Array): NewDataset {
  const { body } = split(bytes, objects.datasets.create.body!, 'rows')
  const place = bodyFields(bytes).get('rows')!
  return { ...body, ...reading(() => tableAt(bytes, place, ['body', 'rows'])) }
}

function readPrediction(bytes: Uint8Array) {
  const { body, texts } = split(bytes, runs.predictionCreate.body!, 'inputs', 'output')
  const { inputs = '{}', output } = texts
  if (output === undefined) throw missing('output')
  // Stored with the row of a run, so that reading results need not compute it.
  const inRun = body.evaluation_run_id !== null
  const rowDigest = inRun ? reading(() => objectDigest(refsToInternal(parseTree(inputs)))) : undefined
  return { ...body, inputs, output, rowDigest }
}

function readScore(bytes: Uint8Array) {
  const { body, texts } = split(bytes, runs.scoreCreate.body!, 'value')
  if (texts.value === undefined) throw missing('value')
  return { ...body, value: texts.value }
}

/** The summary as a call stores it, without the fields that are derived on read. */
function readFinish(bytes: Uint8Array): { summary: string } {
  const { texts } = split(bytes.length === 0 ? EMPTY : bytes, runs.runFinish.body!, 'summary')
  const members = reading(() => membersOf(texts.summary ?? ''))
  members.delete('weave')
  return { summary: objectText(members) }
}

/** An empty body counts as an empty object. */
const EMPTY = Buffer.from('{}')

/** The reader of each body, by the name of its route. */
export const EVALUATION_WORK = {
  value: readValue,
  op: (bytes: Uint8Array) => split(bytes, objects.ops.create.body!).body,
  dataset: readDataset,
  scorer: (bytes: Uint8Array) => split(bytes, objects.scorers.create.body!).body,
  model: (bytes: Uint8Array) => split(bytes, objects.models.create.body!, 'attributes'),
  evaluation: (bytes: Uint8Array) => split(bytes, objects.evaluations.create.body!, 'eval_attributes'),
  run: (bytes: Uint8Array) => split(bytes, runs.runCreate.body!).body,
  finish: readFinish,
  prediction: readPrediction,
  score: readScore,
}
