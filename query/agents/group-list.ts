/** Lists groups of agents' spans: runs the statement of `groups.ts` and makes answers from its rows. */
import type { AgentSpanGroupRow, Scalar } from '../../contract/agent-span.js'
import type { AgentSpansQueryReq } from '../../contract/agents.js'
import type { Sql } from '../../platform/clickhouse/sql.js'
import type { Store } from '../../platform/clickhouse/store.js'
import { isoOfMicros } from '../../platform/time/iso.js'
import { DistinctKeys } from '../totals/distinct-keys.js'
import { costsOfGroup, NO_COSTS } from './costs.js'
import { type DistributionRow, distributionsOf, groupOf, itemsOf } from './distributions.js'
import { pageOf } from './grouped.js'
import { type GroupRow, groupPlan } from './groups.js'
import { type Window, windowOf } from './identity.js'
import { asksForLatest, isOneOf, latestConversations, NAMED } from './latest-conversations.js'
import { conversationNames, messagesOf } from './previews.js'
import { narrowed } from './query.js'
import type { AgentReader } from './read.js'

export class GroupList {
  private readonly conversations: DistinctKeys

  constructor(
    store: Store,
    private readonly reader: AgentReader,
  ) {
    this.conversations = new DistinctKeys(store, reader, NAMED)
  }

  async groups(
    request: AgentSpansQueryReq,
    signal: AbortSignal,
  ): Promise<{ groups: AgentSpanGroupRow[]; total_count: number }> {
    const { measures, group_distributions } = request
    const { window, plan, prices, page, total, messages: known } = await this.page(request, signal)
    const { keys, conditions } = plan
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
      isConversation && known === undefined
        ? messagesOf(
            this.reader,
            // Of all spans: the last message may be another agent's than the one that is asked for.
            windowOf(request),
            page.map(({ k0, first, last }) => ({ id: String(k0), first, last })),
            signal,
          )
        : known,
      Promise.all(
        (page.length === 0 ? [] : distributions).map(async (one) =>
          itemsOf(one, await this.reader.rows<DistributionRow>(one.statement, signal)),
        ),
      ),
    ])
    const groups = page.map((row): AgentSpanGroupRow => {
      const { first, last, took, billed, total: _, place: __, may_name: ___, ...rest } = row
      const costs = prices && billed ? costsOfGroup(billed, prices) : NO_COSTS
      const own = Object.fromEntries(Object.entries(rest).filter(([name]) => !/^[km]\d+$/.test(name)))
      const scalar = (name: string) => row[name] as Scalar
      const said = messages?.get(String(row.k0))
      return {
        ...(own as Omit<AgentSpanGroupRow, 'group_keys'>),
        group_keys: Object.fromEntries(keys.map(({ alias }, i) => [alias, scalar(`k${i}`)])),
        total_duration_ms: Math.round(took / 1000),
        total_cost_usd: costs.total_cost_usd,
        total_input_cost_usd: costs.input_cost_usd,
        total_output_cost_usd: costs.output_cost_usd,
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

  /**
   * The groups of the page, summed up over `window` by `plan`, how many there are in all, the project's prices if costs are
   * asked for, and messages if they could be read beside.
   */
  private async page(request: AgentSpansQueryReq, signal: AbortSignal) {
    // Asks for the places of all attributes that the request's statements read.
    const planned = (window: Window) => {
      const { keys, conditions } = groupPlan(request, window, undefined)
      distributionsOf(request.group_distributions, keys, [], window, conditions)
      return window
    }
    const asked = narrowed(windowOf(request), request.query)
    const window = await this.reader.placed(asked, planned, signal)
    const [latest, prices] = await Promise.all([
      asksForLatest(request)
        ? latestConversations(
            (statement) => this.reader.rows(statement, signal),
            (counted) => this.conversations.count(window.projectId, counted, signal),
            request,
            window,
          )
        : undefined,
      request.include_costs ? this.reader.prices(window, signal) : undefined,
    ])
    const read = async (asked: AgentSpansQueryReq, window: Window, more: readonly Sql[] = []) => {
      const plan = groupPlan(asked, window, prices, more)
      const rows = await this.reader.rows<GroupRow>(plan.statement, signal)
      return { window, plan, prices, ...pageOf(rows, asked) }
    }
    if (!latest) return { ...(await read(request, window)), messages: undefined }
    const { ids, total, times } = latest
    const these = { ...request, offset: 0, limit: ids.length }
    const [found, messages] = await Promise.all([
      read(these, latest.window, [isOneOf(latest.window, ids)]),
      times && messagesOf(this.reader, latest.window, times, signal),
    ])
    return { ...found, total, messages }
  }
}
