/** Tools, and the choice among them, as a chat completion has them. Pure. */
import type { MessageRequest, MessageTool } from '../../contract/messages.js'
import { problems } from '../problem.js'

interface ChatTools {
  tools?: object[]
  tool_choice?: 'auto' | 'required' | 'none' | { type: 'function'; function: { name: string } }
  parallel_tool_calls?: false
}

/** Tools that a caller's own program runs have no type, or this one. */
const OWN = 'custom'

/**
 * @param changes tools that the conversation has made known or taken away, by name
 * @throws `UNSUPPORTED_TOOL` (400) names the tools that only a hosted provider has
 */
export function toolsOf(
  asked: readonly MessageTool[],
  choice: MessageRequest['tool_choice'],
  changes: ReadonlyMap<string, boolean>,
): ChatTools {
  const foreign = asked.flatMap(({ type }) => (type && type !== OWN ? [type] : []))
  if (foreign.length > 0) throw unsupported(foreign)
  const tools = asked
    .filter(({ name = '', defer_loading: isDeferred }) => changes.get(name) ?? !isDeferred)
    .map(chatTool)
  if (tools.length === 0) return choice?.type === 'any' ? { tool_choice: 'required' } : {}
  return {
    tools,
    tool_choice: choiceOf(choice),
    ...(choice?.disable_parallel_tool_use && { parallel_tool_calls: false }),
  }
}

function chatTool({ name = '', description, input_schema: parameters, strict }: MessageTool): object {
  return {
    type: 'function',
    function: {
      name,
      ...(description && { description }),
      ...(parameters && { parameters }),
      ...(strict && { strict }),
    },
  }
}

function choiceOf(choice: MessageRequest['tool_choice']): NonNullable<ChatTools['tool_choice']> {
  if (choice?.type === 'any') return 'required'
  if (choice?.type === 'tool') return { type: 'function', function: { name: choice.name ?? '' } }
  return choice?.type ?? 'auto'
}

/** Refuses what only a hosted provider can run. */
export function unsupported(types: readonly string[]) {
  const shown = [...new Set(types)].slice(0, 10).map((type) => type.slice(0, 100))
  return problems.refused(
    'UNSUPPORTED_TOOL',
    `Only a hosted provider has ${shown.join(', ')}; send tools with an input_schema, which your program runs.`,
    'tools',
  )
}
