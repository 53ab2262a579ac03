/** Requests that cost a service more than their sender, and honest ones in bulk. Pure. */

export interface Attack {
  name: string
  path: string
  /** each {@link COUNTER} in it becomes a number of the request */
  body: string
  /** sent with Basic authentication as this user; default: a bearer token */
  user?: string
}

/** In a body: what differs from request to request, so that none is a repetition. */
export const COUNTER = '{n}'

const one = { $eq: [{ $getField: 'inputs.a' }, { $literal: 1 }] }
const OPERANDS = 850

/** What a key sends that may write to `project`. */
export function attacks(project: string): Attack[] {
  const query = (operands: unknown[]) => {
    const body = JSON.stringify({ project_id: project, query: { $expr: { $and: operands } }, limit: 1 })
    return { path: '/calls/stream_query', body }
  }
  const many = Array<unknown>(OPERANDS).fill(one)
  return [
    { name: 'an expression of 43 kB, refused', ...query([...many, { $eq: [{ $getField: 'id' }] }]) },
    { name: 'a long list of ids', path: '/calls/stream_query', body: ids(project, 1_000) },
    {
      name: 'a Langfuse batch of one id',
      path: '/api/public/ingestion',
      body: langfuseBatch(2_000),
      user: project,
    },
    {
      name: 'honest: 100 calls a request',
      path: `/v2/${project}/calls/complete`,
      body: JSON.stringify({
        batch: Array.from({ length: 100 }, (_, i) => call(project, `${COUNTER}-${i}`)),
      }),
    },
  ]
}

/** A finished call. */
export function call(project: string, id: string = crypto.randomUUID()) {
  const at = new Date().toISOString()
  return {
    ...{ project_id: project, id, trace_id: id, op_name: 'answer', started_at: at, ended_at: at },
    ...{ attributes: {}, inputs: { text: 'x'.repeat(200) }, output: 'y', summary: {} },
  }
}

function ids(project: string, count: number): string {
  const call_ids = Array.from({ length: count }, (_, i) => `call-${i}`)
  return JSON.stringify({ project_id: project, filter: { call_ids } })
}

function langfuseBatch(count: number): string {
  const timestamp = '2026-06-01T12:00:00Z'
  const batch = Array.from({ length: count }, (_, i) => ({
    ...{ id: `e${i}`, type: 'trace-create', timestamp },
    body: { id: 'trace', metadata: { [`k${i}`]: i === 0 ? COUNTER : 1 } },
  }))
  return JSON.stringify({ batch })
}
