/** Images, sound and other files that values name or hold: of the weave SDKs, of Langfuse's SDKs, and data URLs. Pure. */

/** @property uri what `/files/resolve_url` takes, or a data URL @property type of the bytes; '' if the value does not say */
export interface Media {
  uri: string
  type: string
}

/** The most that one value is searched for, and the values that are looked at. */
const MOST = 50
const VALUES = 20_000

const LANGFUSE = /^@@@langfuseMedia:type=([\w.+-]+\/[\w.+-]+)\|id=[\w-]{22}\|source=\w{1,50}@@@$/

/** By the names that the SDKs give to the files of a value. */
const TYPES: Readonly<Record<string, string>> = {
  ...{ png: 'image/png', jpg: 'image/jpeg', jpeg: 'image/jpeg', webp: 'image/webp', gif: 'image/gif' },
  ...{ wav: 'audio/wav', mp3: 'audio/mpeg', ogg: 'audio/ogg', mp4: 'video/mp4', webm: 'video/webm' },
}
const CONTENT = 'content'

/** Media that stand in the value itself. */
const DATA = /^data:((?:image|audio|video)\/[\w.+-]+|application\/pdf);base64,/
const DATA_HEAD = 100

/** The type of the media that a text is; undefined for any other text. */
export const typeOfData = (text: string): string | undefined => DATA.exec(text.slice(0, DATA_HEAD))?.[1]

/** Whether it is a file of the service, rather than in the value itself. */
export const isStored = ({ uri }: Media): boolean => !uri.startsWith('data:')

/** The media that a value names, each once, in their order. */
export function mediaIn(value: unknown): Media[] {
  const found = new Map<string, Media>()
  const rest = [value]
  for (let seen = 0; rest.length > 0 && found.size < MOST && seen < VALUES; seen++) {
    const one = rest.pop()
    const media = typeof one === 'string' ? ofText(one) : ofWeave(one)
    if (media !== undefined) found.set(media.uri, media)
    else if (typeof one === 'object' && one !== null)
      rest.push(...Object.values(one).slice(0, VALUES).reverse())
  }
  return [...found.values()]
}

function ofText(text: string): Media | undefined {
  const type = typeOfData(text) ?? LANGFUSE.exec(text)?.[1]
  return type === undefined ? undefined : { uri: text, type }
}

/** A value that the weave SDKs store as files: an image, sound, video, or any content. */
function ofWeave(value: unknown): Media | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const { _type, files } = value as { _type?: unknown; files?: unknown }
  if (_type !== 'CustomWeaveType' || typeof files !== 'object' || files === null) return undefined
  for (const [name, digest] of Object.entries(files)) {
    const type = name === CONTENT ? '' : TYPES[name.slice(name.lastIndexOf('.') + 1)]
    if (type !== undefined && typeof digest === 'string') return { uri: digest, type }
  }
  return undefined
}
