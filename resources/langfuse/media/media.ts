/** Media of Langfuse's SDKs: files with a type, under the start of their SHA-256. */
import type { LangfuseMediaCreate } from '../../../contract/langfuse-media.js'
import { digestOfHash } from '../../../domain/refs/digest.js'
import { errors } from '../../../platform/errors/catalog.js'
import { projectIdOf } from '../../../platform/ids/project.js'
import { isoOfMicros } from '../../../platform/time/iso.js'
import { nextVersion } from '../../../platform/time/versions.js'
import { type MediaRow, mediaRow } from '../../files/media.js'
import type { FileAddress } from '../../files/signed-urls.js'
import type { Parts } from '../../parts.js'

/** The SDKs make the same id of the bytes. */
const ID_LENGTH = 22
const ERROR_LIMIT = 1000

export class Media {
  constructor(private readonly parts: Pick<Parts, 'store' | 'files' | 'register'>) {}

  /** Notes what is to come. @returns its id, and what to upload it as; undefined: its bytes are stored */
  async announce(
    project: string,
    { contentType, contentLength, sha256Hash }: LangfuseMediaCreate,
  ): Promise<{ id: string; upload: Omit<FileAddress, 'expires'> | undefined }> {
    const hash = Buffer.from(sha256Hash, 'base64').toString('base64url')
    const id = hash.slice(0, ID_LENGTH)
    const digest = digestOfHash(hash)
    await this.parts.register.note([project])
    const file = { project: projectIdOf(project), digest }
    const [known, there] = await Promise.all([
      mediaRow(this.parts.store, projectIdOf(project), id),
      this.parts.files.existing(file.project, [digest]),
    ])
    if (known?.digest !== digest || known.content_type !== contentType)
      await this.write({
        ...{ project_id: file.project, id, digest, content_type: contentType },
        ...{ upload_status: 0, upload_error: '' },
      })
    return { id, upload: there.has(digest) ? undefined : { ...file, bytes: contentLength } }
  }

  /** Notes how an upload went. @throws 404 */
  async note(project: string, id: string, status: number, error: string): Promise<void> {
    const row = await mediaRow(this.parts.store, projectIdOf(project), id)
    if (row === undefined) throw errors.notFound(`Media ${id}`)
    // Whether it went well is known by the file.
    if (status === 200 || status === 201) return
    await this.write({ ...row, upload_status: status, upload_error: error.slice(0, ERROR_LIMIT) })
  }

  /** @throws 404, also for media whose bytes never came */
  async read(project: string, id: string) {
    const row = await mediaRow(this.parts.store, projectIdOf(project), id)
    if (row === undefined) throw errors.notFound(`Media ${id}`)
    const { project_id, digest, content_type, upload_status, upload_error } = row
    const file = await this.parts.files.stored(project_id, digest)
    if (file === undefined) throw errors.noMedia(id, upload_status, upload_error)
    return {
      file: { project: project_id, digest },
      shown: {
        ...{ mediaId: id, contentType: content_type },
        ...{ contentLength: file.bytes, uploadedAt: isoOfMicros(file.at) },
      },
    }
  }

  private write(row: MediaRow): Promise<void> {
    return this.parts.store.insertRows('media', [{ ...row, ver: nextVersion() }])
  }
}
