/** The answer of `/objs/query` as text in pieces: values are read a few megabytes at a time, however many there are. */

import { jsonList } from '../../domain/lists/json.js'
import { objectText } from './answer.js'
import type { LabelStore } from './labels.js'
import { type ValueParts, wireValues } from './values.js'
import { keyOf, type Version } from './versions.js'

const PIECE_BYTES = 4 << 20
const PIECE_ROWS = 500

type PageParts = ValueParts & { labels: LabelStore }

export interface PageOptions {
  /** `entity/project` */
  project: string
  metadataOnly: boolean
  sizes: boolean
  labels: boolean
}

/** JSON text of `{objs: […]}`. */
export function objectPage(
  parts: PageParts,
  versions: AsyncIterable<readonly Version[]>,
  options: PageOptions,
): AsyncGenerator<Uint8Array> {
  return jsonList('objs', textPieces(parts, versions, options))
}

async function* textPieces(
  parts: PageParts,
  versions: AsyncIterable<readonly Version[]>,
  options: PageOptions,
): AsyncGenerator<string[]> {
  for await (const some of versions)
    for (const piece of pieces(some, options.metadataOnly)) yield await objectTexts(parts, piece, options)
}

/** Cut so that no piece has many values or large ones. */
function* pieces(versions: readonly Version[], metadataOnly: boolean): Generator<Version[]> {
  let piece: Version[] = []
  let bytes = 0
  for (const version of versions) {
    const size = metadataOnly ? 0 : version.bytes
    if (piece.length > 0 && (piece.length >= PIECE_ROWS || bytes + size > PIECE_BYTES)) {
      yield piece
      piece = []
      bytes = 0
    }
    piece.push(version)
    bytes += size
  }
  if (piece.length > 0) yield piece
}

/** JSON texts of `ObjSchema`s of one project, in order. */
export async function objectTexts(
  parts: PageParts,
  piece: readonly Version[],
  options: PageOptions,
): Promise<string[]> {
  const projectId = piece[0]!.project_id
  const [vals, labels] = await Promise.all([
    options.metadataOnly ? undefined : wireValues(parts, piece.map(keyOf)),
    options.labels ? parts.labels.of(projectId, piece) : undefined,
  ])
  return piece.map((version, i) =>
    objectText(version, {
      project: options.project,
      val: vals?.[i] ?? '{}',
      size: options.sizes,
      tags: labels?.[i]?.tags ?? null,
      aliases: labels?.[i]?.aliases ?? null,
    }),
  )
}
