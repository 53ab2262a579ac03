/** Writes embeddings as OpenAI's interface has them. Pure. */
import type { EmbeddingAnswer } from '../../domain/chat/embed.js'

/** Numbers written before other work may run. */
const NUMBERS_PER_PIECE = 65_536

/** The JSON in pieces, with an event-loop turn between them: it may have millions of numbers. */
export async function* embeddingJson(
  { vectors, usage }: EmbeddingAnswer,
  { model, base64 }: { model: string; base64: boolean },
): AsyncGenerator<Buffer> {
  let text = '{"object":"list","data":['
  let numbers = 0
  for (const [index, values] of vectors.entries()) {
    const embedding = base64 ? `"${Buffer.from(values).toString('base64')}"` : numbersText(values)
    text += `${index > 0 ? ',' : ''}{"object":"embedding","index":${index},"embedding":${embedding}}`
    numbers += values.length / 4
    if (numbers < NUMBERS_PER_PIECE) continue
    yield Buffer.from(text)
    text = ''
    numbers = 0
    await new Promise(setImmediate)
  }
  const { prompt_tokens, total_tokens } = usage
  const end = { model, usage: { prompt_tokens, total_tokens } }
  yield Buffer.from(`${text}],${JSON.stringify(end).slice(1)}`)
}

/** With as many digits as tell 32-bit floats apart. */
function numbersText(values: Uint8Array): string {
  const view = new DataView(values.buffer, values.byteOffset, values.byteLength)
  const numbers: number[] = []
  for (let at = 0; at < values.byteLength; at += 4)
    numbers.push(Number(view.getFloat32(at, true).toPrecision(9)))
  return JSON.stringify(numbers)
}
