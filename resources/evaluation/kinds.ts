/** The kinds of objects in evaluations: which versions belong to a kind, and the answer of a read. */
import { type ObjectQuery, objsQuery } from '../../contract/objects.js'
import { OP_FILE } from '../../domain/refs/placeholder-op.js'
import { JsonNumber, type JsonTree, treeText } from '../../platform/json/tree.js'
import { isoOfMicros } from '../../platform/time/iso.js'
import type { Fields } from '../objects/values.js'
import type { Version } from '../objects/versions.js'

export interface Kind {
  /** its name in sentences */
  name: string
  /** base class of its objects; undefined: ops */
  base: string | undefined
  /** fields of a read beside those of every version, as JSON trees; `source` is the text of its file */
  view: (value: Fields, source: string) => [string, JsonTree][]
  /** digest of the file with its source, if it has one */
  file?: (value: Fields) => string | undefined
}

export const OP: Kind = {
  name: 'Op',
  base: undefined,
  view: (_value, source) => [['code', source]],
  file: fileOf,
}

export const DATASET: Kind = {
  name: 'Dataset',
  base: 'Dataset',
  view: (value) => [['rows', textOf(value, 'rows') ?? '']],
}

export const SCORER: Kind = {
  name: 'Scorer',
  base: 'Scorer',
  view: (value) => [['score_op', textOf(value, 'score') ?? '']],
}

const MODEL_OWN = new Set(['_type', '_class_name', '_bases', 'name', 'description', 'files'])

export const MODEL: Kind = {
  name: 'Model',
  base: 'Model',
  view: (value, source) => [
    ['source_code', source],
    ['attributes', new Map([...value].filter(([key]) => !MODEL_OWN.has(key)))],
  ],
  file: fileOf,
}

export const EVALUATION: Kind = {
  name: 'Evaluation',
  base: 'Evaluation',
  view: (value) => {
    const scorers = value.get('scorers')
    const trials = value.get('trials')
    return [
      ['dataset', textOf(value, 'dataset') ?? ''],
      ['scorers', Array.isArray(scorers) ? scorers.filter((one) => typeof one === 'string') : []],
      ['trials', trials instanceof JsonNumber ? trials : new JsonNumber('1')],
      ['evaluation_name', textOf(value, 'evaluation_name')],
      ['evaluate_op', textOf(value, 'evaluate')],
      ['predict_and_score_op', textOf(value, 'predict_and_score')],
      ['summarize_op', textOf(value, 'summarize')],
    ]
  },
}

/** Whether `version` is of the kind. */
export function isOf({ base }: Kind, version: Version): boolean {
  return base === undefined ? version.kind === 'op' : version.kind !== 'op' && version.base_class === base
}

/** The query that lists all versions of the kind. */
export function listOf(
  { base }: Kind,
  project: string,
  page: { limit: number | null; offset: number | null },
): ObjectQuery {
  const filter = base === undefined ? { is_op: true } : { is_op: false, base_object_classes: [base] }
  return objsQuery.body!.parse({ project_id: project, filter, ...page })
}

/** JSON text of a read. */
export function viewText(kind: Kind, version: Version, value: Fields, source: string): string {
  const head: [string, JsonTree][] = [
    ['object_id', version.object_id],
    ['digest', version.digest],
    ['version_index', new JsonNumber(String(version.version_index))],
    ['created_at', isoOfMicros(version.created_at)],
  ]
  const described: [string, JsonTree][] = [
    ['name', textOf(value, 'name') ?? version.object_id],
    ['description', textOf(value, 'description')],
  ]
  const fields = [...head, ...(kind.base === undefined ? [] : described), ...kind.view(value, source)]
  return treeText(new Map(fields))
}

function textOf(value: Fields, key: string): string | null {
  const text = value.get(key)
  return typeof text === 'string' ? text : null
}

function fileOf(value: Fields): string | undefined {
  const files = value.get('files')
  const digest = files instanceof Map ? files.get(OP_FILE) : undefined
  return typeof digest === 'string' ? digest : undefined
}
