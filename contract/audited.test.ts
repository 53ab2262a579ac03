/** Routes that change rights, keys, secrets, labels or take something out or away are in the audit log. */
import { expect, it } from 'vitest'
import type { RouteSpec } from '../platform/http/route.js'
import { declaredRoutes } from './declared.js'

const routes = [...(await declaredRoutes()).values()]

/** Routes that look as if they had to be, and why they need not. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  keys_list: 'reads, without the keys',
  own_keys_list: 'reads, without the keys',
  scim_list: 'reads',
  scim_read: 'reads',
  scim_search: 'reads',
  scim_search_in: 'reads',
  users_list: 'reads',
  users_read: 'reads',
  teams_list: 'reads',
  invitations_list: 'reads, without the links',
  secrets_list: 'reads names, without values',
  aliases_list: 'reads',
  tags_list: 'reads',
  masking_query: 'reads',
  masking_preview: 'reads, and changes nothing',
  masking_counts: 'reads',
  audit_query: 'reads the log itself, page by page',
  audit_verify: 'reads the log itself',
  export_trace: 'named by OTLP: writes spans',
  export_trace_at_root: 'named by OTLP: writes spans',
  export_trace_of_langfuse: 'named by OTLP: writes spans',
  export_agent_trace: 'named by OTLP: writes spans',
  export_logs: 'named by OTLP: writes logs',
  export_metrics: 'named by OTLP: takes metrics, and drops them',
}

const WORDS = /(^|_)(delete|purge|revoke|export|keys?|secrets?|alias(es)?|tags?)(_|$)/

const isOfConcern = ({ access, method, id }: RouteSpec) =>
  access === 'admin' || method === 'DELETE' || WORDS.test(id)

it('is so for each that has the right admin, deletes, or is called so', () => {
  const missing = routes.filter((one) => isOfConcern(one) && !one.audit && !EXCEPTIONS[one.id])
  expect(missing.map(({ id }) => id)).toEqual([])
})

it('has no exception that is none', () => {
  const needed = routes.filter((one) => isOfConcern(one) && !one.audit).map(({ id }) => id)
  expect(Object.keys(EXCEPTIONS).filter((id) => !needed.includes(id))).toEqual([])
})

it.each(routes.filter(({ audit }) => audit).map((one) => [one.id, one] as const))(
  'names only what %s has',
  (_, { audit, params, query, body, raw, streamed }) => {
    const parts: Record<string, unknown> = { params, query, ...(!raw && !streamed && { body }) }
    for (const name of audit!.names ?? []) {
      const [part = '', field = ''] = name.split('.')
      expect(Object.keys((parts[part] as { shape?: object } | undefined)?.shape ?? {})).toContain(field)
      expect(name).not.toMatch(/secret|token|password|url|message|description|text/i)
    }
  },
)

it.each(['calls_complete', 'calls_query_stream', 'call_start', 'export_trace', 'create_chat_completion'])(
  'costs nothing where much is sent: %s',
  (id) => expect(routes.find((one) => one.id === id)).not.toHaveProperty('audit'),
)
