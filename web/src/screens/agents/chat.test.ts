import { describe, expect, it } from 'vitest'
import type { ChatMessage } from '../../api/agents'
import { itemsOf } from './chat'

const NONE = {
  user_message: null,
  assistant_message: null,
  tool_call: null,
  agent_start: null,
  context_compacted: null,
  agent_name: 'Weather',
}
const message = (more: object) => ({ ...NONE, ...more }) as unknown as ChatMessage
const shown = (more: object) => itemsOf([message(more)]).map(({ from: _, ...item }) => item)

describe('what agents said and did', () => {
  it('messages, with reasoning before the text', () => {
    expect(shown({ user_message: { text: 'Wet?' } })).toEqual([
      {
        kind: 'message',
        message: { role: 'user', parts: [{ kind: 'text', text: 'Wet?' }], isOutput: false },
      },
    ])
    expect(shown({ assistant_message: { text: 'Yes.', reasoning_content: 'Rain.' } })).toEqual([
      {
        kind: 'message',
        message: {
          role: 'assistant',
          parts: [
            { kind: 'reasoning', text: 'Rain.' },
            { kind: 'text', text: 'Yes.' },
          ],
          isOutput: true,
        },
      },
    ])
  })

  it('tools, whose arguments are values', () => {
    const tool_call = { tool_name: 'rain', tool_arguments: '{"a": 1}', tool_result: 'wet', duration_ms: 5 }
    expect(shown({ tool_call })).toEqual([
      { kind: 'tool', name: 'rain', input: { a: 1 }, result: 'wet', ms: 5 },
    ])
  })

  it('beginnings, compactions, and nothing of the unknown', () => {
    expect(
      shown({ agent_start: { model: 'gpt', system_instructions: 'Be kind.', tool_definitions: null } }),
    ).toEqual([{ kind: 'event', title: 'Weather, gpt', text: 'Be kind.' }])
    expect(
      shown({
        context_compacted: {
          compaction_summary: 'short',
          compaction_items_before: 9,
          compaction_items_after: 2,
        },
      }),
    ).toEqual([{ kind: 'event', title: 'Context compacted from 9 items to 2', text: 'short' }])
    expect(shown({})).toEqual([])
  })
})
