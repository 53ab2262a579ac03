/** An image as the SDKs keep files behind values: two files, and the value that stands for them. Pure. */
import { createHash } from 'node:crypto'
import { fileDigest } from '../../domain/refs/digest.js'
import type { ImageKind } from '../../platform/images/kind.js'
import type { JsonTree } from '../../platform/json/tree.js'

/** The class whose loader every Python SDK has. */
const CONTENT = 'weave.type_wrappers.Content.content.Content'

export interface ContentFile {
  name: string
  digest: string
  content: Uint8Array
}

/** The files of an image and the value through which SDKs find them. */
export function contentOf(
  image: Uint8Array,
  { mime, extension }: ImageKind,
): { files: ContentFile[]; value: JsonTree } {
  const sha256 = createHash('sha256').update(image).digest('hex')
  const about = {
    size: image.length,
    mimetype: mime,
    digest: sha256,
    filename: `image-${sha256.slice(0, 8)}${extension}`,
    content_type: 'bytes',
    input_type: 'bytes',
    encoding: 'utf-8',
    metadata: null,
    extension,
  }
  const files = [
    ['content', image],
    ['metadata.json', Buffer.from(JSON.stringify(about))],
  ] as const
  const stored = files.map(([name, content]) => ({ name, digest: fileDigest(content), content }))
  const value = new Map<string, JsonTree>([
    ['_type', 'CustomWeaveType'],
    ['weave_type', new Map([['type', CONTENT]])],
    ['load_op', null],
    ['files', new Map(stored.map(({ name, digest }) => [name, digest]))],
  ])
  return { files: stored, value }
}
