/** Puts the chunks of a streamed completion together to the answer it would have been in one piece. Pure. */

interface Chunk {
  id?: unknown
  created?: unknown
  model?: unknown
  choices?: ChunkChoice[]
  usage?: unknown
  error?: { code?: unknown; reason?: unknown; message?: unknown }
}

interface ChunkChoice {
  index?: number
  delta?: { role?: string; content?: string | null; reasoning?: string; tool_calls?: CallPart[] }
  finish_reason?: string | null
}

interface CallPart {
  index?: number
  id?: string
  type?: string
  function?: { name?: string; arguments?: string }
}

interface Choice {
  index: number
  message: {
    role: string
    content: string | null
    reasoning?: string
    tool_calls?: { id: string; type: string; function: { name: string; arguments: string } }[]
  }
  finish_reason: string | null
}

/** Choices and calls of a provider that numbers them as it likes. */
const MOST = 128

export class ChunkJoiner {
  private readonly choices = new Map<number, Choice>()
  private head: Pick<Chunk, 'id' | 'created' | 'model'> = {}
  private usage: unknown
  /** what a chunk said went wrong */
  error: { code: string; message: string } | undefined
  private any = false

  /** Takes the next chunk, JSON text of whatever shape. */
  add(text: string): void {
    const chunk = JSON.parse(text) as Chunk | null
    if (chunk === null || typeof chunk !== 'object') return
    this.any = true
    const { id, created, model, usage, error } = chunk
    if (this.head.id === undefined) this.head = { id, created, model }
    if (usage !== null && usage !== undefined) this.usage = usage
    if (error && typeof error === 'object')
      this.error = {
        code: String(error.reason ?? error.code ?? 'PROVIDER_FAILED'),
        message: String(error.message ?? ''),
      }
    if (Array.isArray(chunk.choices)) for (const choice of chunk.choices) this.choice(choice)
  }

  /** The answer so far; undefined if nothing came. */
  answer(): Record<string, unknown> | undefined {
    if (!this.any) return undefined
    return {
      ...this.head,
      object: 'chat.completion',
      choices: [...this.choices.values()].sort((a, b) => a.index - b.index),
      ...(this.usage !== undefined && { usage: this.usage }),
    }
  }

  private choice(said: ChunkChoice): void {
    if (said === null || typeof said !== 'object') return
    const index = typeof said.index === 'number' ? said.index : 0
    let choice = this.choices.get(index)
    if (!choice) {
      if (this.choices.size >= MOST) return
      choice = { index, message: { role: 'assistant', content: null }, finish_reason: null }
      this.choices.set(index, choice)
    }
    if (said.finish_reason) choice.finish_reason = said.finish_reason
    const { message } = choice
    const { role, content, reasoning, tool_calls: calls } = said.delta ?? {}
    if (role) message.role = role
    if (typeof content === 'string') message.content = (message.content ?? '') + content
    if (typeof reasoning === 'string') message.reasoning = (message.reasoning ?? '') + reasoning
    if (Array.isArray(calls)) for (const part of calls) addCall(message, part)
  }
}

function addCall(message: Choice['message'], part: CallPart | null): void {
  if (part === null || typeof part !== 'object') return
  message.tool_calls ??= []
  const at = part.index ?? message.tool_calls.length
  if (!Number.isInteger(at) || at < 0 || at >= MOST) return
  for (let i = message.tool_calls.length; i <= at; i++)
    message.tool_calls.push({ id: '', type: 'function', function: { name: '', arguments: '' } })
  const call = message.tool_calls[at]!
  if (part.id) call.id = part.id
  if (part.function?.name) call.function.name += part.function.name
  if (part.function?.arguments) call.function.arguments += part.function.arguments
}
