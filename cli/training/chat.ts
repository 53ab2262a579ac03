/** `heddle chat`: sends one or many messages to a base model or a checkpoint and streams the answers. */
import { createInterface } from 'node:readline/promises'
import { ask, type Target } from '../http-client.js'
import { printable } from '../printable.js'
import { servedModel } from './train.js'
import { serverEvents } from './training-client.js'

export interface ChatOptions {
  message?: string
  system?: string
  maxTokens?: number
  temperature?: number
}

interface Message {
  role: string
  content: string
}

interface Chunk {
  choices: { delta: { content?: string | null; reasoning?: string | null } }[]
}

/** Sends one message, or every line of the input. @param model undefined: the first one served */
export async function chat(to: Target, model: string | undefined, options: ChatOptions): Promise<void> {
  const name = model ?? (await servedModel(to))
  const history: Message[] = options.system === undefined ? [] : [{ role: 'system', content: options.system }]
  const say = (text: string, signal?: AbortSignal) => answer(to, name, options, history, text, signal)
  if (options.message !== undefined) return say(options.message)
  await conversation(name, say)
}

async function conversation(
  name: string,
  say: (text: string, signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const terminal = process.stdin.isTTY === true
  if (terminal) process.stderr.write(`${name}: /reset starts over, Ctrl-C stops an answer, Ctrl-D exits\n`)
  const lines = createInterface({
    input: process.stdin,
    output: process.stderr,
    terminal,
    prompt: terminal ? '> ' : '',
  })
  let stop: AbortController | undefined
  lines.on('SIGINT', () => {
    if (stop) stop.abort()
    else lines.close()
  })
  lines.prompt()
  for await (const line of lines) {
    if (line.trim() !== '') {
      stop = new AbortController()
      try {
        await say(line, stop.signal)
      } catch (error) {
        if (!terminal) throw error
        const why = stop.signal.aborted ? 'stopped' : (error as Error).message
        process.stderr.write(`\n${why}\n`)
      }
      stop = undefined
    }
    lines.prompt()
  }
}

/** Writes the answer to standard output; both join the history when it is complete. */
async function answer(
  to: Target,
  model: string,
  { maxTokens, temperature }: ChatOptions,
  history: Message[],
  text: string,
  signal?: AbortSignal,
): Promise<void> {
  if (text === '/reset') {
    history.splice(history[0]?.role === 'system' ? 1 : 0)
    return
  }
  const messages = [...history, { role: 'user', content: text }]
  const body = {
    ...{ model, messages, stream: true },
    ...(maxTokens !== undefined && { max_completion_tokens: maxTokens }),
    ...(temperature !== undefined && { temperature }),
  }
  const reply = await ask(to, 'POST', '/v1/chat/completions', body, signal)
  let said = ''
  for await (const chunk of serverEvents(reply)) {
    const piece = (chunk as Chunk).choices[0]?.delta.content ?? ''
    said += piece
    process.stdout.write(process.stdout.isTTY ? printable(piece) : piece)
  }
  process.stdout.write('\n')
  history.push(...messages.slice(-1), { role: 'assistant', content: said })
}
