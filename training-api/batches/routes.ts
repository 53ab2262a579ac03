/** The routes of batches and their files, bound. */
import * as contract from '../../contract/batches.js'
import { validate } from '../../platform/http/json-body.js'
import { partsOf, textOf } from '../../platform/http/multipart.js'
import type { Principal } from '../../platform/http/principal.js'
import { type Bound, Reply, type Request, serve } from '../../platform/http/request.js'
import { pageAnswer } from '../jobs/answer.js'
import { invalid, trainingProblems } from '../jobs/problems.js'
import { ownerOf } from '../owner.js'
import { traceRequest } from '../trace/trace-request.js'
import { batchAnswer, fileAnswer } from './answer.js'
import { type BatchRow, batchList, isOpen } from './batch-table.js'
import type { Batches } from './batches.js'
import { fileList } from './file-table.js'
import { countsOf } from './result-table.js'

const LONGEST_NAME = 512

/** @param batches undefined: no artifact store is configured */
export function batchRoutes(batches: Batches | undefined): Bound[] {
  const all = () => {
    if (!batches) throw trainingProblems.noArtifacts()
    return batches
  }
  const answer = async (row: BatchRow) => (await answers([row]))[0]
  const answers = async (rows: readonly BatchRow[]) => {
    const open = rows.filter(isOpen).map(({ id }) => id)
    const counts = open.length > 0 ? await countsOf(all().parts.store, open) : new Map()
    return rows.map((row) => batchAnswer(row, counts.get(row.id)))
  }
  return [
    serve(contract.createFile, async (request) => fileAnswer(await upload(all(), request))),
    serve(contract.listFiles, async ({ query, principal }) => {
      const { limit } = query
      const rows = await fileList(all().parts.store, {
        ...{ ...query, owner: ownerOf(principal), limit: limit + 1 },
      })
      return pageAnswer(rows.map(fileAnswer), limit)
    }),
    serve(contract.getFile, async ({ params, principal }) =>
      fileAnswer(await fileOf(all(), params.file_id, principal)),
    ),
    serve(contract.getFileContent, async ({ params, principal, signal }) => {
      const row = await fileOf(all(), params.file_id, principal)
      const content = await all().files.content(row, signal)
      // The bytes are anybody's: a browser must not take them for a page of this service.
      return new Reply(200, 'application/octet-stream', content, { 'content-disposition': 'attachment' })
    }),
    serve(contract.deleteFile, async ({ params, principal }) => {
      const row = await fileOf(all(), params.file_id, principal)
      await all().files.delete(row)
      return { id: row.id, object: 'file', deleted: true }
    }),
    serve(contract.createBatch, async ({ body, principal, headers }) =>
      answer(await all().create(body, principal, traceRequest(headers, principal)?.project)),
    ),
    serve(contract.listBatches, async ({ query: { after, limit }, principal }) => {
      const rows = await batchList(all().parts.store, ownerOf(principal), after, limit + 1)
      return pageAnswer(await answers(rows), limit)
    }),
    serve(contract.getBatch, async ({ params, principal }) =>
      answer(await all().find(ownerOf(principal), params.batch_id)),
    ),
    serve(contract.cancelBatch, async ({ params, principal }) =>
      answer(await all().cancel(ownerOf(principal), params.batch_id)),
    ),
  ]
}

function fileOf({ files }: Batches, id: string, principal: Principal) {
  return files.find(ownerOf(principal), id)
}

async function upload({ files }: Batches, { bytes, headers, principal }: Request) {
  const parts = partsOf({ contentType: headers.get('content-type') ?? '', bytes })
  const file = parts.get('file')
  const fields = validate(
    contract.createFile.body!,
    {
      file: file && '',
      ...Object.fromEntries(
        ['purpose', 'expires_after[anchor]', 'expires_after[seconds]'].flatMap((name) => {
          const text = textOf(parts.get(name))
          return text === undefined ? [] : [[name, text]]
        }),
      ),
    },
    'body',
  )
  if (file!.content.length === 0) throw invalid(['file'], 'Should not be empty')
  return files.add({
    owner: ownerOf(principal),
    key_id: principal.keyId,
    filename: (file!.filename ?? '').slice(0, LONGEST_NAME),
    content: file!.content,
    project: principal.traceProject,
    seconds: fields['expires_after[seconds]'] ?? contract.MOST_SECONDS,
  })
}
