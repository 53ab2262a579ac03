/** The messages of a turn: who said what, which tools ran, what each cost. Pure. */
import type { AgentChatMessage } from '../../contract/agent-chat.js'
import type { NormalizedMessage } from '../../contract/agent-span.js'
import {
  asyncAgent,
  base,
  mediaOf,
  newInput,
  orNull,
  refsOf,
  shown,
  startOf,
  toolCall,
  userMessage,
} from './chat-message.js'
import { partsOf, shownText, textOf } from './messages.js'
import { below, type ChatSpan, type SpanNode, sumOf, tookMs, treeOf } from './tree.js'

export interface ChatOptions {
  /** tools that a model asked for and no span ran are listed, too */
  modelToolCalls: boolean
}

/** The messages of one trace, in the order of a conversation. */
export function messagesOf(spans: readonly ChatSpan[], options: ChatOptions): AgentChatMessage[] {
  return new Turn(spans, options).messages()
}

class Turn {
  private readonly out: AgentChatMessage[] = []
  private lastUser: string | undefined
  private instructions = ''
  private readonly ran: Set<string>
  private readonly asked = new Set<string>()

  constructor(
    private readonly spans: readonly ChatSpan[],
    private readonly options: ChatOptions,
  ) {
    const tools = spans.filter(
      ({ operation_name: name }) => name === 'execute_tool' || name === 'invoke_agent',
    )
    this.ran = new Set(tools.flatMap(({ tool_call_id }) => tool_call_id || []))
  }

  messages(): AgentChatMessage[] {
    for (const root of treeOf(this.spans)) this.walk(root, undefined)
    const { out } = this
    if (this.lastUser === undefined) this.leadWithUser()
    if (out[0]?.type === 'agent_start' && out[1]?.type === 'user_message') out.splice(0, 2, out[1], out[0])
    return out
  }

  /** Returns whether there was text of an assistant. */
  private walk(node: SpanNode, agent: string | undefined): boolean {
    const label = node.span.agent_name || node.span.agent_id || agent
    if (node.span.operation_name === 'invoke_agent') return this.agent(node, label)
    if (node.span.operation_name === 'execute_tool') {
      this.tool(node.span, label)
      return this.children(node, label)
    }
    this.start(node.span, label)
    for (const message of newInput(node.span)) this.user(node.span, message)
    const before = this.out.length
    const said = this.children(node, label)
    return this.assistant(node, [node.span], label, before) || said
  }

  private children({ children }: SpanNode, label: string | undefined): boolean {
    return children.map((child) => this.walk(child, label)).some(Boolean)
  }

  private agent(node: SpanNode, label: string | undefined): boolean {
    const { span } = node
    const has = span.agent_name || span.agent_id || span.request_model || span.system_instructions.length > 0
    if (has || span.tool_definitions) {
      this.instructions = span.system_instructions.join('\n\n')
      this.out.push({ ...base(span, label, 'agent_start'), agent_start: startOf(span) })
    }
    if (span.compaction_summary || (span.compaction_items_before ?? 0) > 0) {
      const { compaction_summary, compaction_items_before, compaction_items_after } = span
      const compacted = { compaction_summary, compaction_items_before, compaction_items_after }
      this.out.push({ ...base(span, label, 'context_compacted'), context_compacted: compacted })
    }
    const before = this.out.length
    if (this.children(node, label)) return true
    const started = asyncAgent(span)
    if (started !== undefined) {
      this.out.push(toolCall(span, label, `Start ${started}`, null, shown(span.output_messages)))
      return false
    }
    return this.assistant(
      node,
      Array.from(below(node), (one) => one.span),
      label,
      before,
    )
  }

  private tool(span: ChatSpan, label: string | undefined): void {
    const name = span.tool_name || (span.span_name ?? '').replace(/^execute_tool /i, '')
    this.out.push(
      toolCall(span, label, name, orNull(span.tool_call_arguments), orNull(span.tool_call_result)),
    )
  }

  /** New instructions of a system. They go to the start of the same agent that came just before without any. */
  private start(span: ChatSpan, label: string | undefined): void {
    const text = span.system_instructions.join('\n\n')
    if (text === '' || text === this.instructions) return
    this.instructions = text
    const last = this.out.at(-1)
    const start = startOf(span)
    if (
      last?.agent_start &&
      last.agent_name === (label ?? null) &&
      last.agent_start.system_instructions === null
    ) {
      const { model, tool_definitions, status } = last.agent_start
      last.agent_start = {
        ...start,
        model: model ?? start.model,
        tool_definitions: tool_definitions ?? start.tool_definitions,
        status,
      }
    } else this.out.push({ ...base(span, label, 'agent_start'), agent_start: start })
  }

  private user(span: ChatSpan, message: NormalizedMessage): void {
    const text = shownText(message)
    const mark = `${text}\0${mediaOf(message)}`
    if (mark === this.lastUser || mark === '\0') return
    this.lastUser = mark
    this.out.push(userMessage(span, text, message))
  }

  /** What the model said, with what `counted` spans used. @param before from where on its children's messages stand */
  private assistant(
    node: SpanNode,
    counted: readonly ChatSpan[],
    label: string | undefined,
    before: number,
  ): boolean {
    const { span } = node
    const text = shown(span.output_messages)
    const isTold = text !== '' || span.reasoning_content || span.status_code === 'ERROR'
    const direct = new Set(node.children.map((child) => child.span.span_id))
    const mirror = this.out
      .slice(before)
      .find((one) => one.assistant_message?.text === text && text !== '' && direct.has(one.span_id ?? ''))
    const said = assistantMessage(span, text, counted)
    if (mirror) {
      const known = Object.entries(mirror.assistant_message!).filter(([, value]) => value !== null)
      mirror.assistant_message = { ...said, ...Object.fromEntries(known) }
    } else if (isTold) this.out.push({ ...base(span, label, 'assistant_message'), assistant_message: said })
    if (this.options.modelToolCalls) this.requested(span, label)
    return text !== ''
  }

  /** Tools that the model asked for and that no span ran. */
  private requested(span: ChatSpan, label: string | undefined): void {
    for (const part of span.output_messages.flatMap((message) => partsOf(message))) {
      const id = String(part.id ?? '')
      if (part.type !== 'tool_call' || !part.name || this.ran.has(id) || this.asked.has(id)) continue
      if (id !== '') this.asked.add(id)
      const call = toolCall(span, label, String(part.name), textOf(part.arguments) || null, null)
      this.out.push({ ...call, tool_call: { ...call.tool_call!, duration_ms: null, status: null } })
    }
  }

  private leadWithUser(): void {
    const agentsFirst = [...this.spans].sort(
      (a, b) =>
        Number(b.operation_name === 'invoke_agent') - Number(a.operation_name === 'invoke_agent') ||
        a.started - b.started,
    )
    for (const span of agentsFirst) {
      const message = span.input_messages.findLast((one) => one.role === 'user' && shownText(one) !== '')
      if (message === undefined) continue
      this.out.unshift(userMessage(span, shownText(message), message))
      return
    }
  }
}

type Counted =
  | 'input_tokens'
  | 'output_tokens'
  | 'reasoning_tokens'
  | 'input_cost_usd'
  | 'output_cost_usd'
  | 'total_cost_usd'

/** What `span` said, with what `counted` spans used: of several, those that count. */
function assistantMessage(
  span: ChatSpan,
  text: string,
  counted: readonly ChatSpan[],
): NonNullable<AgentChatMessage['assistant_message']> {
  const once = counted.length === 1 ? counted : counted.filter(({ repeats }) => !repeats)
  const sum = (field: Counted) => sumOf(once.map((one) => one[field]))
  return {
    text,
    model: orNull(span.response_model) ?? orNull(span.request_model),
    reasoning_content: orNull(span.reasoning_content),
    reasoning_tokens: sum('reasoning_tokens') || null,
    input_tokens: sum('input_tokens') || null,
    output_tokens: sum('output_tokens') || null,
    input_cost_usd: sum('input_cost_usd'),
    output_cost_usd: sum('output_cost_usd'),
    total_cost_usd: sum('total_cost_usd'),
    duration_ms: tookMs(span),
    status: span.status_code,
    content_refs: span.output_messages.flatMap((message) => refsOf(span, message)),
  }
}
