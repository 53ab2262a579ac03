/** What kind a call is: what the pages tell apart, and how clients say it. Pure; also runs in pages. */

/** A step is a call of which nobody said what it is. */
export type Kind = 'agent' | 'model' | 'tool' | 'retrieval' | 'step'
export type SaidKind = Exclude<Kind, 'step'>

/** What clients call the kinds, in lower case. */
const SAID: Readonly<Record<SaidKind, readonly string[]>> = {
  agent: ['agent', 'invoke_agent', 'create_agent', 'agent_run'],
  model: [
    'llm',
    'generation',
    'chat',
    'completion',
    'text_completion',
    'generate_content',
    'model',
    'chat_model',
  ],
  tool: ['tool', 'execute_tool', 'function', 'tool_call', 'mcp_tool_call'],
  retrieval: ['retriever', 'retrieval', 'reranker', 'embedding', 'embeddings', 'vectordb'],
}

export const SAID_KINDS = Object.keys(SAID) as SaidKind[]

/** Where they say it: what ingest made of a span's attributes, and what the SDK writes. */
const FIELDS = ['attributes.kind', 'attributes.weave.kind']

/** The query of calls that say that they are of a kind. */
export const saysKind = (kind: SaidKind) => ({
  $expr: {
    $or: FIELDS.map((field): { $in: [{ $getField: string }, { $literal: string }[]] } => ({
      $in: [
        { $getField: field },
        SAID[kind].flatMap((one) => [one, one.toUpperCase()]).map((one) => ({ $literal: one })),
      ],
    })),
  },
})
