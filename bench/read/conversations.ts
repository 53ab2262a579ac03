/**
 * Adds conversations of agents with messages to a filled project, their turns spread over its days. All through the
 * public interface.
 */
import { hex } from '../../test/support/ids.js'
import { exportRequest, type SpanInput } from '../../test/support/otlp.js'
import type { Server } from '../../test/support/server.js'
import { sendAll } from '../load/requests.js'
import { Chance, prose } from '../load/text.js'
import type { Project } from './fill.js'

const CONVERSATIONS = 50
const TURNS = 20
const TURN_SPANS = 10
const DAYS = 30

export interface Conversation {
  id: string
  /** trace ids */
  turns: string[]
  /** stands in the question of one turn, of the last day, nowhere else */
  word: string
}

/** Adds conversations of 200 spans to `project`. */
export async function converse(server: Server, project: Project): Promise<Conversation[]> {
  const chance = new Chance(31)
  const now = Date.now()
  const all = Array.from({ length: CONVERSATIONS }, (_, n): Conversation => {
    const turns = Array.from({ length: TURNS }, () => hex(16))
    return { id: `conversation-${n}`, turns, word: `word${hex(8)}` }
  })
  const make = (n: number) => {
    const { id, turns, word } = all[n]!
    const spans = turns.flatMap((trace, turn) => {
      const start = now - chance.below((turn === 0 ? 1 : DAYS) * 86_400e3)
      return turnOf(id, trace, start, chance, turn === 0 ? word : '')
    })
    return {
      path: '/agents/otel/v1/traces',
      headers: { 'content-type': 'application/x-protobuf', project_id: project.name },
      body: Buffer.from(exportRequest({ spans })),
    }
  }
  await sendAll(server, { connections: 1, count: CONVERSATIONS, make })
  return all
}

/** An agent that asks its model and a tool in turns. @param start ms since the epoch */
function turnOf(
  conversation: string,
  traceId: string,
  start: number,
  chance: Chance,
  word: string,
): SpanInput[] {
  const said = (role: string, text: string) => JSON.stringify([{ role, content: text }])
  const at = (second: number) => BigInt(start + second * 1000) * 1_000_000n
  const rootId = hex(8)
  const agent = {
    'gen_ai.agent.name': `assistant-${chance.below(20)}`,
    'gen_ai.agent.version': `${chance.below(5)}`,
  }
  const root: SpanInput = {
    ...{ traceId, spanId: rootId, name: 'invoke_agent', start: at(0), end: at(TURN_SPANS) },
    attributes: { ...agent, 'gen_ai.operation.name': 'invoke_agent', 'gen_ai.conversation.id': conversation },
  }
  const question = said('user', `${prose(chance, 300)} ${word}`)
  const children = Array.from({ length: TURN_SPANS - 1 }, (_, n): SpanInput => {
    const asked =
      n % 2 === 0
        ? {
            ...{ 'gen_ai.operation.name': 'chat', 'gen_ai.request.model': `model-${chance.below(4)}` },
            ...{
              'gen_ai.usage.input_tokens': chance.below(4_000),
              'gen_ai.usage.output_tokens': chance.below(1_000),
            },
            ...{
              'gen_ai.input.messages': question,
              'gen_ai.output.messages': said('assistant', prose(chance, 300)),
            },
          }
        : {
            ...{ 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': 'look up' },
            'gen_ai.tool.call.arguments': JSON.stringify({ text: prose(chance, 100) }),
            'gen_ai.tool.call.result': JSON.stringify({ text: prose(chance, 400) }),
          }
    const times = { start: at(n), end: at(n + 1) }
    return { ...{ traceId, spanId: hex(8), parentId: rootId, name: 'step', ...times }, attributes: asked }
  })
  return [root, ...children]
}
