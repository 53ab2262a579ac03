/** Writes a version as JSON text for answers, with the value spliced in as stored. Pure. */
import { isoOfMicros, isoOrNull } from '../../platform/time/iso.js'
import type { Version } from './versions.js'

export interface Details {
  /** `entity/project` */
  project: string
  /** JSON text of the value; `{}` if only metadata was requested */
  val: string
  size?: boolean
  /** null: not requested */
  tags?: string[] | null
  aliases?: string[] | null
}

/** JSON text of an `ObjSchema`. */
export function objectText(version: Version, details: Details): string {
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
