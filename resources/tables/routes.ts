import * as declared from '../../contract/tables.js'
import type { ProjectRegister } from '../../domain/projects/register.js'
import { inTurns } from '../../platform/batch/turns.js'
import { errors } from '../../platform/errors/catalog.js'
import { linesType } from '../../platform/http/accept.js'
import { listObject } from '../../platform/http/list-member.js'
import { type Bound, Reply, serve } from '../../platform/http/request.js'
import { projectIdOf } from '../../platform/ids/project.js'
import { wholeLines } from '../../platform/json/lines.js'
import { wireTexts } from '../objects/external-refs.js'
import type { Parts } from '../parts.js'
import { DigestList } from './digest-list.js'
import type { Choice, TableKey } from './sql.js'

const INTERNAL = 'weave-trace-internal:///'

/** The same lines with refs in wire form. Pieces without refs pass as they are. */
async function* wireLines(
  register: ProjectRegister,
  pieces: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  for await (const lines of wholeLines(pieces))
    yield lines.includes(INTERNAL)
      ? Buffer.from((await wireTexts(register, lines.toString().split('\n'))).join('\n'))
      : lines
}

/** Digests written in one turn of the event loop. */
const TURN_DIGESTS = 20_000

/** The most rows read by one statement, without reading the table's size first. */
const SHORT = 1000

export function tableRoutes({ tableReader: reader, tableWriter: writer, workers, register }: Parts): Bound[] {
  const create = serve(declared.tableCreate, async ({ bytes, principal }) => {
    const made = await workers.run('table', bytes)
    principal.must('write', made.project)
    await register.note([made.project, ...made.projects])
    const table = { project: projectIdOf(made.project), digest: made.digest }
    const { digests, order } = await writer.create(table, made.order, made.rows, principal.userId)
    const rowDigests = inTexts(order.length, DigestList.over(digests), (i) => order[i]!)
    return new Reply(200, 'application/json', digestsAnswer(made.digest, 'row_digests', rowDigests))
  })

  const createFromDigests = serve(declared.tableCreateFromDigests, async ({ bytes, principal }) => {
    const made = await workers.run('list', bytes)
    principal.must('write', made.project)
    await register.note([made.project])
    const table = { project: projectIdOf(made.project), digest: made.digest }
    await writer.createFromDigests(table, DigestList.over(made.list), principal.userId)
    return { digest: made.digest }
  })

  const update = serve(declared.tableUpdate, async ({ bytes, principal }) => {
    const { project, base: digest, bytes: body } = await workers.run('update', bytes)
    principal.must('write', project)
    const base = { project: projectIdOf(project), digest }
    const size = await reader.size(base)
    if (!size) throw errors.notFound(`Table ${digest}`)
    const input = { bytes: body, base: await reader.rowDigests(base) }
    const made = await workers.run('change', input, body.length + input.base.length)
    await register.note([project, ...made.projects])
    const touched = DigestList.over(made.touched)
    const answer = digestsAnswer(
      made.digest,
      'updated_row_digests',
      inTexts(touched.length, touched, (i) => i),
    )
    await writer.change(base, made, principal.userId)
    return new Reply(200, 'application/json', answer)
  })

  /** The requested rows, as lines in wire form. */
  const lines = async (
    asked: declared.TableQuery,
    signal: AbortSignal,
  ): Promise<AsyncIterable<Uint8Array>> => {
    const table: TableKey = { project: projectIdOf(asked.project_id), digest: asked.digest }
    const choice = choiceOf(asked)
    if (choice.limit === 0) return nothing()
    const whole = choice.rowDigests === null && choice.sortBy.length === 0
    if (whole && choice.limit !== null && choice.limit <= SHORT) {
      const range = { from: choice.offset, to: choice.offset + choice.limit }
      return wireLines(register, await reader.lines(table, range, signal))
    }
    if (!whole) return wireLines(register, await reader.chosen(table, choice, signal))
    const size = await reader.size(table)
    if (!size) return nothing()
    const to = choice.limit === null ? size.count : choice.offset + choice.limit
    return wireLines(register, reader.ranges(table, size, { from: choice.offset, to }, signal))
  }

  const query = serve(
    declared.tableQuery,
    async ({ body, signal }) =>
      new Reply(200, 'application/json', listObject('rows', await lines(body, signal))),
  )
  const queryStream = serve(
    declared.tableQueryStream,
    async ({ body, headers, signal }) =>
      new Reply(200, linesType(headers.get('accept')), await lines(body, signal)),
  )

  const stats = serve(declared.tableQueryStats, async ({ body }) => {
    const size = await reader.size({ project: projectIdOf(body.project_id), digest: body.digest })
    return { count: size?.count ?? 0 }
  })
  const statsBatch = serve(declared.tableQueryStatsBatch, async ({ body }) => {
    const digests = body.digests ?? []
    const sizes = await reader.sizes(projectIdOf(body.project_id), digests)
    const order = new Map(digests.map((digest, i) => [digest, i]))
    sizes.sort((a, b) => order.get(a.digest)! - order.get(b.digest)!)
    return {
      tables: sizes.map(({ digest, count, bytes }) => ({
        count,
        digest,
        storage_size_bytes: body.include_storage_size ? bytes : null,
      })),
    }
  })

  return [create, createFromDigests, update, query, queryStream, stats, statsBatch]
}

/** An empty list of digests chooses all, a negative limit is none. */
function choiceOf({ filter, limit, offset, sort_by }: declared.TableQuery): Choice {
  const digests = filter?.row_digests ?? []
  const sortBy = sort_by ?? []
  for (const { field } of sortBy) {
    if (field.split('.').some((part) => part.trim() === ''))
      throw errors.badRequest(`"${field.slice(0, 200)}" is not a path to sort by: it has an empty part.`)
  }
  return {
    rowDigests: digests.length > 0 ? digests : null,
    sortBy,
    limit: limit === null || limit < 0 ? null : limit,
    offset: Math.max(0, offset ?? 0),
  }
}

async function* nothing(): AsyncGenerator<Uint8Array> {}

/** `{"digest":…,"<name>":[…]}` with the digest of each row, of which there may be a million. */
async function* digestsAnswer(
  digest: string,
  name: string,
  texts: AsyncIterable<string[]>,
): AsyncGenerator<Uint8Array> {
  let before = `{"digest":${JSON.stringify(digest)},"${name}":[`
  for await (const some of texts) {
    yield Buffer.from(before + some.map((text) => JSON.stringify(text)).join(','))
    before = ','
  }
  yield Buffer.from(before === ',' ? ']}' : `${before}]}`)
}

/** Some digests of `list`, in order, as texts. @param at the index in the list of each of `count` digests */
async function* inTexts(
  count: number,
  list: DigestList,
  at: (i: number) => number,
): AsyncGenerator<string[]> {
  for await (const { from, to } of inTurns(count, TURN_DIGESTS))
    yield Array.from({ length: to - from }, (_, i) => list.at(at(from + i)))
}
