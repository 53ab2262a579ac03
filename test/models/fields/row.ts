/** A row of the table of request fields: what is asked with a field, and what of the answer shows that it is obeyed. */

/** What came back of one request; of a stream, its chunks joined. */
export interface Answered {
  status: number
  contentType: string
  body: Body
  /** of a streamed answer, in order */
  chunks: Body[]
  /** of the call that was logged, if the request asked for that */
  logged: () => Promise<Record<string, unknown> | undefined>
  /** the same request once more */
  again: () => Promise<Answered>
}

export interface Body {
  id?: string
  model?: string
  choices?: Choice[]
  usage?: {
    prompt_tokens: number
    completion_tokens: number
    prompt_tokens_details: { cached_tokens: number }
  }
  prompt_logprobs?: (Record<string, unknown> | null)[]
  prompt_token_ids?: number[]
  error?: { message: string; param: string | null; code: number; reason: string }
}

export interface Choice {
  index: number
  message?: { role: string; content: string | null; reasoning?: string; tool_calls?: ToolCall[] }
  delta?: { content?: string }
  logprobs: { content: { token: string; logprob: number; top_logprobs: { token: string }[] }[] } | null
  finish_reason: string | null
  stop_reason: string | number | null
  token_ids?: number[]
}

interface ToolCall {
  function: { name: string; arguments: string }
}

/** Ids of tokens by their text. */
export type Tokens = (text: string) => number

export interface Row {
  /** dotted where it is a part of another: this is what is taken out */
  field: string
  /** beside `field`, where one row is not enough to tell what it does */
  about?: string
  /** the whole request; the question is `Hello!` where it has no messages */
  request: (token: Tokens) => Record<string, unknown>
  /** sent before each of the two, and not looked at */
  first?: Record<string, unknown>
  headers?: Record<string, string>
  /** the part of an answer that matters */
  sees: (answer: Answered) => unknown
  /** what that is with the field; without it, it must be something else */
  is: unknown | ((token: Tokens) => unknown)
}

export const text = ({ body }: Answered) => body.choices?.[0]?.message?.content
export const finish = ({ body }: Answered) => body.choices?.[0]?.finish_reason
export const stopped = ({ body }: Answered) => body.choices?.[0]?.stop_reason
export const ids = ({ body }: Answered) => body.choices?.[0]?.token_ids
export const status = ({ status }: Answered) => status
/** The status, and the field that an error names. */
export const refused = ({ status, body }: Answered) => [status, body.error?.param ?? null, body.error?.reason]
export const user = (content: string) => [{ role: 'user', content }]
