/** Lists groups of agents' spans: runs the statement of `groups.ts` and makes answers from its rows. */
import type { AgentSpanGroupRow, Scalar } from '../../contract/agent-span.js'
import type { AgentSpansQueryReq } from '../../contract/agents.js'
import { isoOfMicros } from '../../platform/time/iso.js'
import { type GroupRow, groupPlan } from './groups.js'
import { windowOf } from './identity.js'
import type { AgentReader } from './read.js'

export class GroupList {
  constructor(private readonly reader: AgentReader) {}

  async groups(
    request: AgentSpansQueryReq,
    signal: AbortSignal,
  ): Promise<{ groups: AgentSpanGroupRow[]; total_count: number }> {
    const { offset, limit } = request
    const { statement, keys } = groupPlan(request, windowOf(request))
    const found = await this.reader.rows<GroupRow & { place: number }>(statement, signal)
    const page = found.filter(({ place }) => place > offset && place <= offset + limit)
    const isTime = keys.map(({ value }) => value.kind === 'time')
    const groups = page.map((row): AgentSpanGroupRow => {
      const { first, last, took, total: _, place: __, ...rest } = row
      const own = Object.fromEntries(Object.entries(rest).filter(([name]) => !/^[km]\d+$/.test(name)))
      const scalar = (name: string) => row[name] as Scalar
      return {
        ...(own as Omit<AgentSpanGroupRow, 'group_keys'>),
        group_keys: Object.fromEntries(
          keys.map(({ alias }, i) => [
            alias,
            isTime[i] ? isoOfMicros(Number(row[`k${i}`])) : scalar(`k${i}`),
          ]),
        ),
        total_duration_ms: Math.round(took / 1000),
        first_seen: isoOfMicros(first),
        last_seen: isoOfMicros(last),
        conversation_names: [],
        first_message: null,
        last_message: null,
        metrics: Object.fromEntries(request.measures.map(({ alias }, i) => [alias, scalar(`m${i}`)])),
        distributions: {},
      }
    })
    return { groups, total_count: found[0]?.total ?? 0 }
  }
}
