/** Asks for a line, and writes the body that its route would have answered. */
import type { Chat } from '../../domain/chat/chat.js'
import { type ChatRequest, chatRequest } from '../../domain/chat/request.js'
import { type Outcome, type Run, whole } from '../../domain/chat/run.js'
import type { Principal } from '../../platform/http/principal.js'
import { headOf, PromptAnswer, usageSum } from '../completions/answer.js'
import type { CompletionRead } from '../completions/read.js'
import { embeddingJson } from '../embeddings/answer.js'
import { ResponseWriter, type WriterOptions } from '../responses/writer.js'
import { completionCall, embeddingCall, type LoggedCall } from '../trace/call.js'
import type { LineRequest } from './request.js'

export interface Asking {
  chat: Chat
  principal: Principal
  signal: AbortSignal
  /** counts a request */
  ended: (outcome: Outcome<{ usage: Outcome['answer']['usage'] }>) => void
  /** gets the calls that the requests are logged as */
  log: (call: LoggedCall) => void
  /** of responses */
  seal: WriterOptions['seal']
  store: WriterOptions['store']
}

/** What a line was answered. */
export interface Answered {
  /** as the answer names itself */
  id: string
  /** JSON */
  body: string
}

/** @param body of the line, as it was sent @throws HeddleError */
export async function answerOf(request: LineRequest, body: Uint8Array, asking: Asking): Promise<Answered> {
  const { kind, read } = request
  if (kind === 'embedding') {
    const { chat, principal, signal, ended, log } = asking
    const began = performance.now()
    const answer = await chat.embed({
      ...{ embedding: read, principal, signal, background: true },
      ended: (outcome, target) => {
        ended(outcome)
        log(embeddingCall(outcome, target, { inputs: body, began }))
      },
    })
    const pieces: Buffer[] = []
    for await (const piece of embeddingJson(answer, read)) pieces.push(piece)
    return { id: '', body: Buffer.concat(pieces).toString('utf8') }
  }
  if (kind === 'chat') {
    const answer = await whole(await begin(asking, chatRequest(body, read), body, 'chat'))
    return { id: answer.id, body: JSON.stringify(answer) }
  }
  if (kind === 'completion') return completion(read, asking)
  const { seal, store } = asking
  const run = await begin(asking, chatRequest(read.chat, read.read), read.chat, 'responses')
  const writer = new ResponseWriter({
    ...{ head: { ...run.head, id: request.id }, answering: read.answering, seal },
    store: read.store ? store : async () => undefined,
  })
  await whole(run, (event) => void writer.lines(event))
  return { id: request.id, body: await writer.whole() }
}

/** One prompt after the other, for a line has one place. */
async function completion(
  { chat, read, prompts, inputs, wanted }: CompletionRead,
  asking: Asking,
): Promise<Answered> {
  const asked = { ...chatRequest(chat, read), promptText: wanted.echo }
  const answers: PromptAnswer[] = []
  let head: Run['head'] | undefined
  for (const [i, prompt] of prompts.entries()) {
    const answer = new PromptAnswer(wanted, i * wanted.n)
    const run = await begin(asking, { ...asked, prompt }, Buffer.from(inputs[i]!), 'completions')
    head ??= run.head
    await whole(run, (event) => answer.add(event))
    answers.push(answer)
  }
  const named = headOf(head!)
  const choices = answers.flatMap((answer) => answer.choices())
  const usage = usageSum(answers.map((answer) => answer.usage))
  return { id: named.id, body: JSON.stringify({ ...named, choices, usage }) }
}

function begin(asking: Asking, chat: ChatRequest, inputs: Uint8Array, by: string): Promise<Run> {
  const { principal, signal, ended, log } = asking
  const began = performance.now()
  return asking.chat.begin({
    ...{ chat, principal, signal, background: true },
    ended: (outcome, target) => {
      ended(outcome)
      log(completionCall(outcome, target, { inputs, began, interface: by, streamed: false }))
    },
  })
}
