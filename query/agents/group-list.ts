/** Lists groups of agents' spans: runs the statement of `groups.ts` and makes answers from its rows. */
import type { AgentSpanGroupRow, Scalar } from '../../contract/agent-span.js'
import type { AgentSpansQueryReq } from '../../contract/agents.js'
import { isoOfMicros } from '../../platform/time/iso.js'
import { type DistributionRow, distributionsOf, groupOf, itemsOf } from './distributions.js'
import { pageOf } from './grouped.js'
import { type GroupRow, groupPlan } from './groups.js'
import { windowOf } from './identity.js'
import { conversationNames, messagesOf } from './previews.js'
import type { AgentReader } from './read.js'

export class GroupList {
  constructor(private readonly reader: AgentReader) {}

  async groups(
    request: AgentSpansQueryReq,
    signal: AbortSignal,
  ): Promise<{ groups: AgentSpanGroupRow[]; total_count: number }> {
    const { measures, group_distributions } = request
    const window = windowOf(request)
    const { statement, keys, conditions } = groupPlan(request, window)
    const { page, total } = pageOf(await this.reader.rows<GroupRow>(statement, signal), request)
    const [key] = keys
    const isConversation = keys.length === 1 && key!.field === 'conversation_id'
    const distributions = distributionsOf(
      group_distributions,
      keys,
      page.map((row) => row.k0),
      window,
      conditions,
    )
    const [names, messages, items] = await Promise.all([
      page.some(({ may_name }) => may_name === 1)
        ? conversationNames(this.reader, keys, window, conditions, signal)
        : undefined,
      isConversation
        ? messagesOf(
            this.reader,
            window,
            page.map((row) => String(row.k0)),
            signal,
          )
        : undefined,
      Promise.all(
        (page.length === 0 ? [] : distributions).map(async (one) =>
          itemsOf(one, await this.reader.rows<DistributionRow>(one.statement, signal)),
        ),
      ),
    ])
    const groups = page.map((row): AgentSpanGroupRow => {
      const { first, last, took, total: _, place: __, may_name: ___, ...rest } = row
      const own = Object.fromEntries(Object.entries(rest).filter(([name]) => !/^[km]\d+$/.test(name)))
      const scalar = (name: string) => row[name] as Scalar
      const said = messages?.get(String(row.k0))
      return {
        ...(own as Omit<AgentSpanGroupRow, 'group_keys'>),
        group_keys: Object.fromEntries(keys.map(({ alias }, i) => [alias, scalar(`k${i}`)])),
        total_duration_ms: Math.round(took / 1000),
        first_seen: isoOfMicros(first),
        last_seen: isoOfMicros(last),
        conversation_names: names?.get(groupOf(keys.map((_, i) => String(row[`k${i}`] ?? '')))) ?? [],
        first_message: said?.first ?? null,
        last_message: said?.last ?? null,
        metrics: Object.fromEntries(measures.map(({ alias }, i) => [alias, scalar(`m${i}`)])),
        distributions: Object.fromEntries(
          items.flatMap((byGroup) => {
            const item = byGroup.get(groupOf(row.k0))
            return item ? [[item.alias, item]] : []
          }),
        ),
      }
    })
    return { groups, total_count: total }
  }
}
