/** A project of Arize Phoenix: its spans, whose attributes are OpenInference's, and the annotations of spans. */
import { refText } from '../../contract/ref.js'
import { type Attributes, spanText } from '../../domain/imports/span.js'
import { groupBy } from '../../platform/batch/group-by.js'
import { derivedId } from '../../platform/ids/derived.js'
import { type Remote, sameAgain } from './remote.js'
import type { Piece } from './sink.js'
import type { Record, Stage } from './stage.js'

const SPANS_PAGE = 500
/** Ids in an address, which must not get too long. */
const MOST_IDS = 100
const ANNOTATIONS_PAGE = 1000

interface Page<T> {
  data: T[]
  next_cursor: string | null
}

interface Span {
  name: string
  context: { trace_id: string; span_id: string }
  span_kind: string
  parent_id: string | null
  start_time: string
  end_time: string
  status_code: 'UNSET' | 'OK' | 'ERROR'
  status_message?: string
  attributes?: Attributes
  events?: { name: string; timestamp: string; attributes?: Attributes }[]
}

interface Annotation {
  id: string
  span_id: string
  name: string
  annotator_kind: string
  source: string
  identifier?: string
  created_at: string
  result: { label?: string | null; score?: number | null; explanation?: string | null } | null
  metadata: object | null
}

/** @param source the name of the project there, or its id */
export function phoenixStages(from: Remote, source: string, project: string): Stage[] {
  return [
    { name: 'spans', total: async () => 0, read: (at) => spansOf(from, source, project, at as Position) },
  ]
}

/** The page after which it goes on, and how many of its spans are done. */
type Position = { cursor: string | undefined; done: number } | undefined

/** Newest first, as Phoenix lists them: what comes in meanwhile is not looked at. */
async function* spansOf(from: Remote, source: string, project: string, at: Position): AsyncGenerator<Record> {
  const path = `/v1/projects/${encodeURIComponent(source)}`
  let { cursor, done } = at ?? { cursor: undefined, done: 0 }
  for (;;) {
    const page = await from.json<Page<Span>>(`${path}/spans`, { query: { limit: SPANS_PAGE, cursor } })
    const spans = page.data.slice(done)
    const annotations = await annotationsOf(from, path, spans)
    for (const span of spans) {
      const about = annotations.get(span.context.span_id) ?? []
      const feedback = about.map((annotation) => feedbackOf(annotation, project))
      yield { pieces: [pieceOf(span), ...feedback], position: { cursor, done: ++done } }
    }
    if (page.next_cursor === null) return
    if (page.next_cursor === cursor) throw sameAgain('Phoenix')
    cursor = page.next_cursor
    done = 0
  }
}

function pieceOf(span: Span): Piece {
  const text = spanText({
    traceId: span.context.trace_id,
    id: span.context.span_id,
    parentId: span.parent_id ?? undefined,
    name: span.name,
    start: span.start_time,
    end: span.end_time,
    attributes: { ...span.attributes, 'openinference.span.kind': span.span_kind },
    events: (span.events ?? []).map(({ name, timestamp, attributes = {} }) => ({
      ...{ name, time: timestamp, attributes },
    })),
    status: span.status_code,
    ...(span.status_message && { message: span.status_message }),
  })
  return { kind: 'span', text }
}

async function annotationsOf(
  from: Remote,
  path: string,
  spans: readonly Span[],
): Promise<Map<string, Annotation[]>> {
  const found: Annotation[] = []
  for (let i = 0; i < spans.length; i += MOST_IDS) {
    const span_ids = spans.slice(i, i + MOST_IDS).map(({ context }) => context.span_id)
    for (let cursor: string | undefined; ; ) {
      const query = { span_ids, limit: ANNOTATIONS_PAGE, cursor }
      const page = await from.json<Page<Annotation>>(`${path}/span_annotations`, { query })
      found.push(...page.data)
      if (page.next_cursor === null) break
      if (page.next_cursor === cursor) throw sameAgain('Phoenix')
      cursor = page.next_cursor
    }
  }
  return groupBy(found, ({ span_id }) => span_id)
}

function feedbackOf(annotation: Annotation, project: string): Piece {
  const { id, span_id, name, annotator_kind, source, identifier, created_at, result, metadata } = annotation
  const feedback = {
    id: derivedId(`phoenix annotation ${id} ${project}`),
    project_id: project,
    weave_ref: refText({ project, kind: 'call', id: span_id, steps: [] }),
    feedback_type: `phoenix.${name}`,
    payload: { ...result, annotator_kind, source, identifier, metadata, created_at },
  }
  return { kind: 'feedback', text: JSON.stringify(feedback) }
}
