/** What kind of image some bytes are, by how they begin. Pure. */

export interface ImageKind {
  mime: string
  /** with its dot */
  extension: string
}

const KINDS: readonly (ImageKind & { begins: RegExp })[] = [
  { mime: 'image/png', extension: '.png', begins: /^\x89PNG\r\n/ },
  { mime: 'image/jpeg', extension: '.jpg', begins: /^\xff\xd8\xff/ },
  { mime: 'image/webp', extension: '.webp', begins: /^RIFF[\s\S]{4}WEBP/ },
  { mime: 'image/gif', extension: '.gif', begins: /^GIF8[79]a/ },
  { mime: 'image/avif', extension: '.avif', begins: /^[\s\S]{4}ftypavi[fs]/ },
  {
    mime: 'image/svg+xml',
    extension: '.svg',
    begins: /^(\xef\xbb\xbf)?\s*(<\?xml[^>]*>\s*)?(<!--[\s\S]*?-->\s*)?<svg[\s>]/,
  },
]

/** The kind of image, or undefined if it is none that is known. */
export function imageKind(bytes: Uint8Array): ImageKind | undefined {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 512)).toString('latin1')
  return KINDS.find(({ begins }) => begins.test(head))
}
