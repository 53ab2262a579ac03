/**
 * What is asked of the pages' routes for a link. Project and thing come from the link; of whoever follows it there is only
 * the id of a call, which counts within the trace, and which rows of a run are wanted. Pure.
 */
import { projectPart, refText } from '../../contract/ref.js'
import { type SaidKind, saysKind } from '../../domain/calls/kinds.js'
import { NAME_COLUMNS } from '../../domain/calls/listed-fields.js'
import type { Share } from './share.js'
import { LISTED, SHOWN_COLUMNS } from './shown.js'

const EVALUATE = 'Evaluation.evaluate'
/** Comments on a call that are shown. */
const MOST_FEEDBACK = 200

type Of = Pick<Share, 'project' | 'target'>

/** The calls of a trace, in short. */
export const callsOf = ({ project, target }: Of) => ({
  project_id: project,
  filter: { trace_ids: [target] },
  columns: [...LISTED],
  sort_by: [],
})

/** What the calls of a trace used, and what that cost. */
export const usageOf = ({ project, target }: Of) => ({
  project_id: project,
  filter: { trace_ids: [target] },
  columns: ['id', 'summary'],
  include_costs: true,
  sort_by: [],
})

/** The calls of a trace that say that they are of a kind. */
export const ofKind = ({ project, target }: Of, kind: SaidKind) => ({
  project_id: project,
  filter: { trace_ids: [target] },
  query: saysKind(kind),
  columns: ['id'],
  sort_by: [],
})

/** One call of a trace. */
export const callOf = ({ project, target }: Of, id: string) => ({
  project_id: project,
  filter: { trace_ids: [target], call_ids: [id] },
  columns: [...SHOWN_COLUMNS],
  include_costs: true,
  sort_by: [],
  limit: 1,
})

/** What people said of a call. */
export const feedbackOf = ({ project }: Of, id: string) => ({
  project_id: project,
  query: {
    $expr: {
      $eq: [{ $getField: 'weave_ref' }, { $literal: refText({ project, kind: 'call', id, steps: [] }) }] as [
        { $getField: string },
        { $literal: string },
      ],
    },
  },
  fields: ['id', 'feedback_type', 'payload', 'creator', 'created_at'],
  sort_by: [{ field: 'created_at', direction: 'asc' as const }],
  limit: MOST_FEEDBACK,
})

/** What a trace is called by: its root, or else its first call. */
export const firstCallOf = ({ project, target }: Of, rootsOnly: boolean) => ({
  ...named(project),
  filter: { trace_ids: [target], ...(rootsOnly && { trace_roots_only: true }) },
})

/** The run itself: only runs of evaluations have results. */
export const runOf = ({ project, target }: Of) => ({
  ...named(project),
  filter: { call_ids: [target], op_names: [`weave:///${project}/op/${EVALUATE}:*`] },
})

const named = (project: string) => ({
  project_id: project,
  sort_by: [{ field: 'started_at' }],
  columns: [...NAME_COLUMNS],
  limit: 1,
})

/** The results of a run. */
export function resultsOf(
  { project: name, target }: Of,
  { limit, offset }: { limit: number; offset: number },
) {
  const [entity = '', project = ''] = name.split('/')
  return {
    params: { entity, project },
    body: {
      evaluation_call_ids: [target],
      ...{ include_rows: limit > 0, include_raw_data_rows: true, resolve_row_refs: true },
      ...{ include_summary: true, include_costs: true, limit, offset },
    },
  }
}

/** The refs of a call that lead into the link's project. */
export const refsOf = ({ project }: Of, refs: readonly string[], most: number) => ({
  refs: refs.filter((ref) => ref.startsWith(`weave:///${projectPart(project)}/object/`)).slice(0, most),
  allow_missing: true,
})
