/** The tool that shows what was said in a conversation. */
import { z } from 'zod'
import { agentConversationChat } from '../../contract/agent-chat.js'
import { callsStreamQuery } from '../../contract/calls-read.js'
import { threadsStreamQuery } from '../../contract/threads.js'
import { errors } from '../../platform/errors/catalog.js'
import type { Api } from '../../platform/http/api.js'
import { cursorIn, cursorOut, glimpse, lean, maxTokens, offsetOf, pageOf } from '../budget.js'
import { name, project, tool } from '../tool.js'

/** Most turns that are asked for at once, and conversations of a list. */
const MOST_TURNS = 20
const MOST_THREADS = 50
/** How much of a message is shown; read_call shows all. */
const MESSAGE_LENGTH = 2000

const Message = z.object({
  from: z.string().describe('user, assistant, tool, or another event of the agent'),
  text: z.string().optional(),
  call_id: z.string().optional(),
  error: z.string().optional(),
})

export const readConversation = tool({
  name: 'read_conversation',
  title: 'Read a conversation',
  description:
    'What users, agents and tools said in a conversation (thread, session), the newest turns first. Without thread_id: the conversations that changed last.',
  effect: 'reads',
  input: z.object({ project, thread_id: name.optional(), cursor: cursorIn, max_tokens: maxTokens }),
  output: z.object({
    turn_count: z.int().optional(),
    turns: z
      .array(
        z.object({ trace_id: z.string(), started_at: z.string().optional(), messages: z.array(Message) }),
      )
      .optional(),
    threads: z
      .array(z.object({ thread_id: z.string(), turn_count: z.int(), last_updated: z.string() }))
      .optional(),
    next_cursor: cursorOut,
  }),
  run: async ({ project: project_id, thread_id, cursor, max_tokens }, api) => {
    const offset = offsetOf(cursor)
    if (thread_id === undefined) {
      const rows = await api.lines(threadsStreamQuery, {
        body: { project_id, limit: MOST_THREADS + 1, offset },
      })
      const threads = rows
        .slice(0, MOST_THREADS)
        .map(({ thread_id: id, turn_count, last_updated }) => ({ thread_id: id, turn_count, last_updated }))
      const { page, ...next } = pageOf(threads, offset, max_tokens, rows.length > MOST_THREADS)
      return { threads: page, ...next }
    }
    const { turns, more, ...counted } =
      (await agentTurns(api, project_id, thread_id, offset)) ??
      (await callTurns(api, project_id, thread_id, offset))
    if (turns.length === 0 && offset === 0)
      throw errors.notFound(`The conversation ${thread_id} in ${project_id}`)
    const { page, ...next } = pageOf(turns, offset, max_tokens, more)
    return { ...counted, turns: page, ...next }
  },
})

/** Turns of agents' spans, the newest first; undefined: there are none, the conversation may be one of calls. */
async function agentTurns(api: Api, project_id: string, conversation_id: string, offset: number) {
  const chat = await api.call(agentConversationChat, {
    body: { project_id, conversation_id, limit: MOST_TURNS, offset },
  })
  if (chat.total_turns === 0) return undefined
  const turns = chat.turns.toReversed().map(({ trace_id, started_at, messages }) => ({
    trace_id,
    ...lean({ started_at }),
    messages: messages.map((message) => {
      const {
        user_message: user,
        assistant_message: assistant,
        tool_call: call,
        context_compacted: cut,
      } = message
      const said =
        user?.text ??
        assistant?.text ??
        (call ? `${call.tool_name}(${call.tool_arguments ?? ''}) → ${call.tool_result ?? ''}` : undefined) ??
        cut?.compaction_summary ??
        message.agent_name
      return {
        from: message.type.replace(/_(message|call)$/, ''),
        ...lean({
          text: glimpse(said, MESSAGE_LENGTH),
          call_id: message.span_id,
          error: message.status_message || message.error_type,
        }),
      }
    }),
  }))
  return { turns, more: offset + turns.length < chat.total_turns, turn_count: chat.total_turns }
}

/** Turns of a thread whose calls are no agents': what went into each and came out. */
async function callTurns(api: Api, project_id: string, thread_id: string, offset: number) {
  const calls = await api.lines(callsStreamQuery, {
    body: {
      project_id,
      filter: { thread_ids: [thread_id], trace_roots_only: true },
      sort_by: [{ field: 'started_at', direction: 'desc' }],
      limit: MOST_TURNS + 1,
      offset,
      columns: ['id', 'trace_id', 'started_at', 'inputs', 'output', 'exception'],
      cut_texts_at: MESSAGE_LENGTH,
    },
  })
  const turns = calls.slice(0, MOST_TURNS).map(({ id: call_id, trace_id, started_at, ...call }) => ({
    trace_id,
    started_at,
    messages: [
      { from: 'user', call_id, ...lean({ text: glimpse(call.inputs, MESSAGE_LENGTH) }) },
      {
        from: 'assistant',
        call_id,
        ...lean({ text: glimpse(call.output, MESSAGE_LENGTH), error: call.exception }),
      },
    ],
  }))
  return { turns, more: calls.length > MOST_TURNS }
}
