/** A server of the Model Context Protocol for one caller: lists tools and prompts, checks arguments, runs tools. */
import {
  type CallToolResult,
  type ListPromptsResult,
  type ListToolsResult,
  ProtocolError,
  ProtocolErrorCode,
  Server,
} from '@modelcontextprotocol/server'
import { z } from 'zod'
import { errors } from '../platform/errors/catalog.js'
import { HeddleError } from '../platform/errors/error.js'
import type { Api } from '../platform/http/api.js'
import { PROMPTS } from './prompts.js'
import type { Tool } from './tool.js'
import { addToDataset, addToQueue, giveFeedback } from './tools/add.js'
import { readCall } from './tools/call.js'
import { readTrace, searchCalls } from './tools/calls.js'
import { readConversation } from './tools/conversation.js'
import { compareEvaluations } from './tools/evaluations.js'
import { readObjects } from './tools/objects.js'
import { findProjects } from './tools/projects.js'
import { sql } from './tools/sql.js'
import { readTraining, startEvaluation, startTraining } from './tools/start.js'
import { stats } from './tools/stats.js'

/** All tools, in the order of their list. */
const TOOLS: readonly Tool[] = [
  ...[findProjects, searchCalls, readTrace, readCall, readConversation, stats, sql],
  ...[compareEvaluations, readObjects, readTraining],
  ...[addToDataset, addToQueue, giveFeedback, startEvaluation, startTraining],
]

const INSTRUCTIONS = `Heddle stores what LLM programs did: projects have traces, a trace is a tree of calls (spans), and there are datasets, evaluations, feedback and training jobs. Begin with find_projects. Lists show how texts begin; read_call and read_objects show all. An answer with next_cursor goes on: call again with it as cursor.`

/** Clients may keep the lists this long: they change only with the version and the key. */
const LISTS = { ttlMs: 300_000, cacheScope: 'private' } as const

/** What clients see of a tool. */
const listed = ({
  name,
  title,
  description,
  effect,
  input,
  output,
}: Tool): ListToolsResult['tools'][number] => ({
  ...{ name, title, description },
  inputSchema: schemaOf(input),
  outputSchema: schemaOf(output),
  annotations: {
    title,
    readOnlyHint: effect === 'reads',
    destructiveHint: false,
    idempotentHint: effect === 'reads',
    openWorldHint: false,
  },
})

function schemaOf(schema: z.ZodObject): { type: 'object' } {
  const { $schema: _, ...json } = z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
    override: ({ jsonSchema }) => {
      // The bounds of safe integers don't help a reader.
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
      delete jsonSchema.id
    },
  })
  return json as { type: 'object' }
}

const WRITING = TOOLS.map(listed)
const READING = WRITING.filter(({ annotations }) => annotations?.readOnlyHint)
const BY_NAME = new Map(TOOLS.map((tool) => [tool.name, tool]))
const LISTED_PROMPTS: ListPromptsResult['prompts'] = PROMPTS.map(({ text: _, ...prompt }) => ({
  ...prompt,
  arguments: [...prompt.arguments],
}))

/** @param api with the caller's rights @param mayWrite false: tools that write are not shown, and refused */
export function mcpServer(api: Api, mayWrite: boolean, version: string): Server {
  const server = new Server(
    { name: 'heddle', title: 'Heddle', version },
    {
      capabilities: { tools: { listChanged: false }, prompts: { listChanged: false } },
      instructions: INSTRUCTIONS,
      cacheHints: { 'tools/list': LISTS, 'prompts/list': LISTS, 'server/discover': LISTS },
    },
  )
  server.setRequestHandler('tools/list', () => ({ tools: mayWrite ? WRITING : READING }))
  server.setRequestHandler('tools/call', ({ params }) => {
    const tool = BY_NAME.get(params.name)
    if (tool === undefined)
      throw new ProtocolError(
        ProtocolErrorCode.InvalidParams,
        `There is no tool ${params.name.slice(0, 200)}.`,
      )
    return called(tool, params.arguments ?? {}, api, mayWrite)
  })
  server.setRequestHandler('prompts/list', () => ({ prompts: LISTED_PROMPTS }))
  server.setRequestHandler('prompts/get', ({ params }) => {
    const { name, arguments: given = {} } = params
    const prompt = PROMPTS.find((one) => one.name === name)
    const lacking = prompt?.arguments.find((one) => given[one.name] === undefined)
    if (prompt === undefined || lacking !== undefined) {
      const what =
        lacking === undefined ? `There is no prompt ${name.slice(0, 200)}.` : `Give ${lacking.name}.`
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, what)
    }
    const content = { type: 'text' as const, text: prompt.text(given) }
    return { description: prompt.description, messages: [{ role: 'user' as const, content }] }
  })
  return server
}

/** Runs a tool. What goes wrong is an answer that the model can read: our code, and what to do. */
async function called(tool: Tool, given: object, api: Api, mayWrite: boolean): Promise<CallToolResult> {
  try {
    if (tool.effect !== 'reads' && !mayWrite) throw errors.noRight('write', 'any project')
    const { data, error } = tool.input.safeParse(given)
    if (error) {
      const [issue] = error.issues
      throw new HeddleError('INVALID_ARGUMENTS', 422, `${issue?.path.join('.')}: ${issue?.message}`)
    }
    const structuredContent = await tool.run(data as never, api)
    return {
      content: [{ type: 'text', text: JSON.stringify(structuredContent) }],
      structuredContent: structuredContent as Record<string, unknown>,
    }
  } catch (error) {
    const { code, reason } = error instanceof HeddleError ? error : errors.internal()
    return { content: [{ type: 'text', text: `${code}: ${reason}` }], isError: true }
  }
}
