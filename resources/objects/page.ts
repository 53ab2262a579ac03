/** Writes the answer of `/objs/query` in pieces: values are read a few megabytes at a time. */
import { jsonList } from '../../domain/lists/json.js'
import { piecesOf } from '../../platform/batch/pieces.js'
import { isoOfMicros, isoOrNull } from '../../platform/time/iso.js'
import type { LabelStore } from './labels.js'
import { type ValueParts, wireValues } from './values.js'
import { keyOf, type Version } from './versions.js'

interface Details {
  project: string
  /** JSON text of the value; `{}` if only metadata was requested */
  val: string
  size?: boolean
  /** null: not requested */
  tags?: string[] | null
  aliases?: string[] | null
}

/** JSON text of an `ObjSchema`. */
function objectText(version: Version, details: Details): string {
  const user = version.user_id === '' ? null : version.user_id
  const head = JSON.stringify({
    project_id: details.project,
    object_id: version.object_id,
    created_at: isoOfMicros(version.created_at),
    deleted_at: isoOrNull(version.deleted_at),
    digest: version.digest,
    version_index: version.version_index,
    is_latest: version.is_latest,
    kind: version.kind,
    base_object_class: version.base_class === '' ? null : version.base_class,
    leaf_object_class: version.leaf_class === '' ? null : version.leaf_class,
    platform_user_id: user,
    wb_user_id: user,
    size_bytes: details.size ? version.bytes : null,
    tags: details.tags ?? null,
    aliases: details.aliases ?? null,
  })
  return `${head.slice(0, -1)},"val":${details.val}}`
}

/** The most values held at once. */
const PIECE = { items: 500, bytes: 4 << 20 }

type PageParts = ValueParts & { labels: LabelStore }

export interface PageOptions {
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
  const sizeOf = ({ bytes }: Version) => (options.metadataOnly ? 0 : bytes)
  for await (const some of versions)
    for (const piece of piecesOf(some, sizeOf, PIECE)) yield await objectTexts(parts, piece, options)
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
