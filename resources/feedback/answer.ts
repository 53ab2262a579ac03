/** Streams the answer of a list of feedback from its lines. */
import { listMember } from '../../platform/http/list-member.js'

/**
 * @param lines JSON objects, one per line
 * @param total the number of matches; undefined: the number of lines
 */
export async function* listAnswer(
  lines: AsyncIterable<Uint8Array>,
  total: Promise<{ count: number } | undefined> | undefined,
): AsyncGenerator<Uint8Array> {
  const count = yield* listMember('result', lines)
  const sum = total ? Number((await total)?.count ?? 0) : count
  yield Buffer.from(`,"total_count":${sum}}`)
}
