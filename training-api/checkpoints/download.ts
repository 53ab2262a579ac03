/** A checkpoint as a tar archive: the files that its manifest lists, and the manifest. */
import { pack } from 'tar-stream'
import { z } from 'zod'
import { keyOf } from '../../domain/training/artifact-keys.js'
import type { StoredCheckpoint } from '../../domain/training/checkpoints.js'
import type { Artifacts } from '../../platform/artifacts/artifacts.js'
import { collect } from '../../platform/bytes/collect.js'
import { errors } from '../../platform/errors/catalog.js'
import { HeddleError } from '../../platform/errors/error.js'
import type { TrainingStorage } from '../jobs/job-service.js'

const MANIFEST = 'manifest.json'
const MANIFEST_LIMIT = 2 ** 20

const manifestFiles = z.object({
  files: z.array(z.object({ name: z.string().regex(/^\w[\w.-]{0,199}$/), bytes: z.int().min(0) })),
})

interface File {
  name: string
  bytes: number
}

/**
 * Streams the archive. @param folder the folder that holds its files
 * @throws `GONE` (410) if the files no longer exist
 */
export async function checkpointTar(
  { artifacts, root }: TrainingStorage,
  { address }: Pick<StoredCheckpoint, 'address'>,
  folder: string,
  signal: AbortSignal,
): Promise<AsyncIterable<Uint8Array>> {
  const key = keyOf(root, address)
  const manifest = key === undefined ? undefined : await whole(artifacts, `${key}/${MANIFEST}`, signal)
  if (key === undefined || !manifest)
    throw new HeddleError('GONE', 410, 'The files of this checkpoint are no longer in the artifact store.')
  const { files } = manifestFiles.parse(JSON.parse(manifest.toString('utf8')))
  const all: File[] = [...files, { name: MANIFEST, bytes: manifest.length }]
  return archive(artifacts, key, folder, all, signal)
}

async function* archive(
  artifacts: Artifacts,
  key: string,
  folder: string,
  files: readonly File[],
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  const tar = pack()
  const writing = write()
  // An error breaks the archive off in the middle.
  writing.catch((error: Error) => tar.destroy(error))
  try {
    for await (const piece of tar) yield piece as Uint8Array
    await writing
  } finally {
    tar.destroy()
  }

  async function write(): Promise<void> {
    for (const { name, bytes } of files) {
      const content = await artifacts.get(`${key}/${name}`, undefined, signal)
      if (!content) throw errors.internal()
      let failed: Error | undefined
      let done: () => void = () => undefined
      const written = new Promise<void>((resolve) => {
        done = resolve
      })
      const entry = tar.entry({ name: `${folder}/${name}`, size: bytes }, (error) => {
        failed = error ?? undefined
        done()
      })
      for await (const piece of content) {
        if (failed || signal.aborted) throw failed ?? new Error('the caller went away')
        if (!entry.write(piece))
          await new Promise<void>((resolve) => void entry.once('drain', () => resolve()))
      }
      entry.end(undefined)
      await written
      if (failed) throw failed
    }
    tar.finalize()
  }
}

async function whole(artifacts: Artifacts, key: string, signal: AbortSignal): Promise<Buffer | undefined> {
  const content = await artifacts.get(key, { from: 0, to: MANIFEST_LIMIT }, signal)
  return content && collect(content)
}
