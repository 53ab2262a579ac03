/**
 * Tools and the choice among them, as a chat completion has them: custom tools become functions of one text, and those
 * of a namespace are named after it. Pure.
 */

import type { ResponseTool, ResponseToolChoice } from '../../contract/responses.js'
import { problems } from '../problem.js'

/** A tool as the caller named it. */
export interface ToolName {
  name: string
  namespace?: string
  /** its input is text, not JSON */
  isCustom: boolean
}

export interface ChatTools {
  /** of the chat completion request; undefined: not sent */
  tools?: object[]
  tool_choice?: unknown
}

export interface ReadTools {
  chat: ChatTools
  /** by the name that the model sees */
  names: Record<string, ToolName>
  /** what the answer repeats: without the types left out */
  kept: ResponseTool[]
  /** types of tools that were left out */
  leftOut: string[]
}

/** The one argument of a custom tool's function. */
export const CUSTOM_INPUT = 'input'

/**
 * @param leavesOut tools that only a provider can run are left out, as this client sends them unasked
 * @throws `UNSUPPORTED_TOOL` (400) names them, if they aren't
 */
export function readTools(
  tools: readonly ResponseTool[],
  choice: ResponseToolChoice | null | undefined,
  leavesOut: boolean,
): ReadTools {
  const names: Record<string, ToolName> = {}
  const chat: { name: string; tool: object }[] = []
  const kept: ResponseTool[] = []
  const leftOut: string[] = []
  const add = (tool: ResponseTool, namespace?: string) => {
    const { name, description } = tool
    if (!name) throw problems.refused('BAD_TOOL', 'Each function and custom tool needs a name.', 'tools')
    const isCustom = tool.type === 'custom'
    const seen = nameSeen(name, namespace)
    if (Object.hasOwn(names, seen))
      throw problems.refused(
        'BAD_TOOL',
        `Two tools are named ${JSON.stringify(name.slice(0, 100))}.`,
        'tools',
      )
    names[seen] = { name, isCustom, ...(namespace !== undefined && { namespace }) }
    const parameters = isCustom ? CUSTOM_PARAMETERS : tool.parameters
    const about = isCustom ? customDescription(tool) : description
    chat.push({
      name: seen,
      tool: {
        type: 'function',
        function: { name: seen, ...(about && { description: about }), ...(parameters && { parameters }) },
      },
    })
  }
  for (const tool of tools) {
    if (tool.type === 'function' || tool.type === 'custom') add(tool)
    else if (tool.type === 'namespace')
      for (const one of tool.tools ?? []) add(one as ResponseTool, tool.name ?? '')
    else {
      if (!leftOut.includes(tool.type)) leftOut.push(tool.type)
      continue
    }
    kept.push(tool)
  }
  if (leftOut.length > 0 && !leavesOut) throw unsupported(leftOut)
  return { chat: { ...chosen(chat, choice, leftOut) }, names, kept, leftOut }
}

/** The name that the model sees. */
export function nameSeen(name: string, namespace: string | null | undefined): string {
  return namespace ? `${namespace}__${name}` : name
}

const CUSTOM_PARAMETERS = {
  type: 'object',
  properties: { [CUSTOM_INPUT]: { type: 'string' } },
  required: [CUSTOM_INPUT],
  additionalProperties: false,
}

function customDescription({ description, format }: ResponseTool): string {
  const grammar = format?.definition ? `The input follows this grammar:\n${format.definition}` : ''
  return [description ?? '', grammar].filter((text) => text !== '').join('\n\n')
}

function chosen(
  all: readonly { name: string; tool: object }[],
  choice: ResponseToolChoice | null | undefined,
  leftOut: readonly string[],
): ChatTools {
  if (typeof choice !== 'object' || choice === null) {
    const asked = choice ?? 'auto'
    if (all.length === 0) return asked === 'required' ? { tool_choice: asked } : {}
    return { tools: all.map(({ tool }) => tool), tool_choice: asked }
  }
  const named = (name: string | null | undefined) => ({ type: 'function', function: { name: name ?? '' } })
  if (choice.type === 'function' || choice.type === 'custom')
    return { tools: all.map(({ tool }) => tool), tool_choice: named(choice.name) }
  if (choice.type === 'allowed_tools') {
    const allowed = new Set((choice.tools ?? []).map(({ name }) => name))
    const tools = all.filter(({ name }) => allowed.has(name)).map(({ tool }) => tool)
    return tools.length > 0 ? { tools, tool_choice: choice.mode ?? 'auto' } : {}
  }
  throw unsupported([choice.type, ...leftOut])
}

function unsupported(types: readonly string[]) {
  const shown = types.slice(0, 10).map((type) => type.slice(0, 100))
  return problems.refused(
    'UNSUPPORTED_TOOL',
    `Only a hosted provider can run ${shown.join(', ')}; send functions, which your program runs.`,
    'tools',
  )
}
