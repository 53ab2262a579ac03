/** Stores calls as they should be: starts those that are missing, and ends those whose end is another one. */
import { PLACEHOLDERS } from '../../../domain/refs/placeholder-op.js'
import { piecesOf } from '../../../platform/batch/pieces.js'
import type { Store } from '../../../platform/clickhouse/store.js'
import { projectIdOf } from '../../../platform/ids/project.js'
import { type CallRow, callRows } from '../../evaluation/call-row.js'
import type { Journal } from '../../evaluation/journal.js'
import type { Author, Publisher } from '../../evaluation/publish.js'
import { endingOf } from '../../evaluation/runs.js'
import type { WantedCall } from './item.js'

const PIECE = { items: 500, bytes: 16 << 20 }

export class WantedCalls {
  constructor(
    private readonly store: Store,
    private readonly journal: Journal,
    private readonly publisher: Publisher,
  ) {}

  /** Resolves when the calls are stored. Hold a lease. @param trace id of their trace */
  async write(author: Author, trace: string, calls: readonly WantedCall[]): Promise<void> {
    for (const some of piecesOf(calls, ({ inputs, end }) => inputs.length + (end?.output.length ?? 0), PIECE))
      await this.piece(author, trace, some)
  }

  private async piece(author: Author, trace: string, calls: readonly WantedCall[]): Promise<void> {
    const before = await this.read(author, calls)
    const missing = calls.filter(({ id }) => !before.has(id))
    const started = await Promise.all(
      missing.map(async ({ op, opName, end: _, displayName, ...call }) => ({
        ...{ ...call, project: author.project, userId: author.userId, traceId: trace },
        ...(displayName !== undefined && { displayName }),
        opName: await this.publisher.ownOp(author, opName, PLACEHOLDERS[op]),
      })),
    )
    if (started.length > 0) await this.journal.write({ started })
    const now = missing.length > 0 ? await this.read(author, calls) : before
    const projectId = projectIdOf(author.project)
    await Promise.all(
      calls.map(async ({ id, end }) => {
        const row = now.get(id)
        if (end && row && !isEnded(row, end))
          await this.journal.end(endingOf(projectId, row), { ...end, summary: '{}' })
      }),
    )
  }

  private async read({ project }: Author, calls: readonly WantedCall[]): Promise<Map<string, CallRow>> {
    const ids = calls.map(({ id }) => id)
    const rows = await this.store.rows<CallRow>(callRows(projectIdOf(project), ids))
    return new Map(rows.map((row) => [row.id, row]))
  }
}

function isEnded(row: CallRow, { endedAt, output, exception }: NonNullable<WantedCall['end']>): boolean {
  return row.ended === endedAt && row.output === output && row.exception === exception
}
