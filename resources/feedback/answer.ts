/** The answer of a list of feedback, made of lines as they come. Knows no field. */
import { listMember } from '../../platform/http/list-member.js'

/**
 * @param lines JSON objects, a line each
 * @param total how many there are; undefined: as many as lines
 */
export async function* listAnswer(
  lines: AsyncIterable<Uint8Array>,
  total: Promise<{ count: number } | undefined> | undefined,
): AsyncGenerator<Uint8Array> {
  const count = yield* listMember('result', lines)
  const sum = total ? Number((await total)?.count ?? 0) : count
  yield Buffer.from(`,"total_count":${sum}}`)
}
