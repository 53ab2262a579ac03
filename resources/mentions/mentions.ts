/** Tells people that they were named in a note: once each, whether the note is sent again or edited. */
import { NOTE } from '../../domain/feedback/kinds.js'
import type { Store } from '../../platform/clickhouse/store.js'
import type { Principal } from '../../platform/http/principal.js'
import { derivedId } from '../../platform/ids/derived.js'
import { projectIdOf } from '../../platform/ids/project.js'
import { nextVersion } from '../../platform/time/versions.js'
import type { Stored } from '../feedback/row.js'
import { type Mention, mentionsIn, putMentions } from './mention-table.js'
import type { Readers } from './readers.js'

export class Mentions {
  /** @param sendsMail whether anybody is mailed from here */
  constructor(
    private readonly store: Store,
    private readonly readers: Readers,
    private readonly sendsMail: boolean,
  ) {}

  /**
   * Stores who is mentioned in feedback that was just stored, to be called before it is acknowledged.
   * @param replaced id of the feedback that was replaced by it
   */
  async note(stored: readonly Stored[], author: Principal, replaced: string | undefined): Promise<void> {
    for (const one of stored) {
      if (one.canonical_type !== NOTE) continue
      const before = replaced === undefined ? [] : await this.before(one, replaced)
      const names = one.payload.includes('@') ? namesIn(textOf(one)) : []
      if (names.length === 0) continue
      const named = await this.readers.of(one.project, { names })
      const known = new Map(before.map((mention) => [mention.userId, mention]))
      const others = named.filter(({ userId }) => userId !== author.userId)
      const fresh = others.filter(({ userId }) => !known.has(userId))
      await putMentions(
        this.store,
        fresh.map(({ userId, email }) => mentionOf(one, author, userId, this.sendsMail && email !== '')),
        0,
      )
      const kept = others.flatMap(({ userId }) => known.get(userId) ?? [])
      const moved = kept.filter(({ feedbackId }) => feedbackId !== one.id)
      await putMentions(
        this.store,
        moved.map((mention) => ({ ...mention, feedbackId: one.id, ...placeOf(one) })),
        nextVersion(),
      )
    }
  }

  /** Of the note that was replaced; a retry finds those of the new one. */
  private before({ project, id }: Stored, replaced: string): Promise<Mention[]> {
    return mentionsIn(this.store, projectIdOf(project), [replaced, id])
  }
}

const textOf = ({ payload }: Stored): string => String((JSON.parse(payload) as { note?: unknown }).note ?? '')

const placeOf = ({ call_id, weave_ref }: Stored) => ({ callId: call_id, weaveRef: weave_ref })

function mentionOf(note: Stored, { username }: Principal, userId: string, isMailed: boolean): Mention {
  return {
    ...{ userId, id: derivedId(`mention ${note.project} ${note.id} ${userId}`) },
    ...{ projectId: projectIdOf(note.project), feedbackId: note.id, ...placeOf(note) },
    ...{ by: username, at: note.created, mail: isMailed ? 'waiting' : 'none' },
    ...{ attempts: 0, nextAt: 0, problem: '' },
  }
}

/** Names in a note that are looked for. */
const MOST = 20
/** What may be before the `@` of a name is no part of a word or an address. */
const NAME = /(?<![\w.@%+-])@([\p{L}\p{N}_][\p{L}\p{N}_.+-]{0,99}(?:@(?:[\p{L}\p{N}-]+\.)+[\p{L}\p{N}-]+)?)/gu

/** What may be meant, in lower case, each once: a name at the end of a sentence is no name with a full stop. */
export function namesIn(note: string): string[] {
  const found = new Set<string>()
  for (const [, name = ''] of note.matchAll(NAME)) {
    found.add(name.toLowerCase())
    found.add(name.toLowerCase().replace(/[.+-]+$/, ''))
    if (found.size >= 2 * MOST) break
  }
  return [...found]
}
