/** What is known of media of Langfuse's SDKs: which file they are, and how its upload went. */
import { bind, sql } from '../../platform/clickhouse/sql.js'
import type { Parts } from '../parts.js'

export interface MediaRow {
  project_id: string
  id: string
  digest: string
  content_type: string
  upload_status: number
  upload_error: string
}

/** What the SDKs put in place of media. */
const REFERENCE = /^@@@langfuseMedia:type=[^|]+\|id=([\w-]{22})\|source=\w+@@@$/

/** The id in a text that stands for media; undefined: it doesn't. */
export const mediaIdIn = (text: string): string | undefined => REFERENCE.exec(text)?.[1]

/** @param project internal id */
export function mediaRow(store: Parts['store'], project: string, id: string): Promise<MediaRow | undefined> {
  return store.row<MediaRow>(sql`
    SELECT project_id, id, digest, content_type, upload_status, upload_error FROM media FINAL
    WHERE project_id = ${bind.string(project)} AND id = ${bind.string(id)}`)
}
