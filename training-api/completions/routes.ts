/** `POST /v1/completions`, bound: each prompt is a request of its own in the chat queue. */
import { createCompletion } from '../../contract/text-completions.js'
import { chatRequest } from '../../domain/chat/request.js'
import { type Run, stream, whole } from '../../domain/chat/run.js'
import { type Bound, Reply, type Request, serve } from '../../platform/http/request.js'
import { type Begun, begin, type ChatParts, streamReply } from '../chat/complete.js'
import { CompletionWriter, DONE_LINE, dataLine, headOf, PromptAnswer, usageSum } from './answer.js'
import type { CompletionRead, CompletionWanted } from './read.js'

export function completionRoutes(parts: ChatParts): Bound[] {
  return [
    serve(createCompletion, async (request) => {
      const began = performance.now()
      const { bytes } = request
      const asked = await parts.threads.run('completion', bytes, bytes.length)
      const all = await begunAll(parts, request, asked, began)
      const runs = all.map(({ run }) => run)
      const { headers } = all[0]!
      if (asked.read.fields.stream) return streamReply(joined(runs, asked.wanted), headers)
      const answer = await answered(runs, asked.wanted)
      return new Reply(200, 'application/json', JSON.stringify(answer), headers)
    }),
  ]
}

/** Queues a request for each prompt, or none. @throws what `begin` throws */
async function begunAll(
  parts: ChatParts,
  request: Request,
  { chat, read, prompts, inputs, wanted }: CompletionRead,
  began: number,
): Promise<Begun[]> {
  const asked = { ...chatRequest(chat, read), promptText: wanted.echo }
  const all: Begun[] = []
  try {
    for (const [i, prompt] of prompts.entries()) {
      const one = {
        interface: 'completions',
        chat: { ...asked, prompt },
        inputs: Buffer.from(inputs[i]!),
      } as const
      all.push(await begin(parts, request, { ...one, began }))
    }
  } catch (error) {
    leave(all.map(({ run }) => run))
    throw error
  }
  return all
}

function leave(runs: readonly Run[]): void {
  for (const { pending } of runs) pending.leave()
}

async function answered(runs: readonly Run[], wanted: CompletionWanted) {
  const answers = runs.map((_, i) => new PromptAnswer(wanted, i * wanted.n))
  try {
    await Promise.all(runs.map((run, i) => whole(run, (event) => answers[i]!.add(event))))
  } finally {
    leave(runs)
  }
  return {
    ...headOf(runs[0]!.head),
    choices: answers.flatMap((answer) => answer.choices()),
    usage: usageSum(answers.map(({ usage }) => usage)),
  }
}

/** The streams of all prompts, one after the other, as one. */
async function* joined(runs: readonly Run[], wanted: CompletionWanted): AsyncGenerator<Uint8Array> {
  const head = headOf(runs[0]!.head)
  const writers = runs.map((_, i) => new CompletionWriter(head, wanted, i * wanted.n))
  try {
    for (const [i, run] of runs.entries()) {
      yield* stream(run, writers[i], i > 0)
      if (writers[i]!.broken) return
    }
    if (runs[0]!.wanted.usage)
      yield Buffer.from(
        dataLine({ ...head, choices: [], usage: usageSum(writers.map(({ usage }) => usage)) }),
      )
    yield Buffer.from(DONE_LINE)
  } finally {
    leave(runs)
  }
}
