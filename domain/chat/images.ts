/**
 * The images of a chat request: their bytes, checked, from data URLs or from addresses if these are allowed, and the
 * messages that a node gets with them.
 */
import { imageSize } from 'image-size'
import type { ChatCompletionRequest } from '../../contract/chat.js'
import { collect } from '../../platform/bytes/collect.js'
import { HeddleError } from '../../platform/errors/error.js'
import { imageKind } from '../../platform/images/kind.js'
import type { Outbound } from '../../platform/outbound/fetch.js'
import { problems } from './problem.js'

export interface ImageLimits {
  /** images of a request */
  most: number
  /** of each image */
  bytes: number
  pixels: number
  /** fetches addresses; undefined: they are refused */
  outbound: Outbound | undefined
}

export interface ChatImages {
  /** JSON, with `{"type": "image"}` in place of each image */
  messages: string
  files: Uint8Array[]
}

/** Of all images of a request: as much as its body may have. */
const MOST_BYTES = 16 * 2 ** 20
const FETCH_MS = 10_000
/** What models' processors read. */
const KINDS = new Set(['image/png', 'image/jpeg', 'image/webp', 'image/gif'])
const DATA_URL = /^data:[^,]{0,200};base64,/i

type Part = Exclude<NonNullable<ChatCompletionRequest['messages'][number]['content']>, string>[number]

/** True if the messages have an image. */
export function hasImages({ messages }: ChatCompletionRequest): boolean {
  return messages.some(({ content }) => Array.isArray(content) && content.some(isImage))
}

/** @throws `TOO_MANY_IMAGES`, `BAD_IMAGE` (400), or why an address can't be read */
export async function imagesOf(
  { messages }: ChatCompletionRequest,
  limits: ImageLimits,
  signal: AbortSignal,
): Promise<ChatImages> {
  const urls: string[] = []
  const shown = messages.map(({ content, ...message }) => ({
    ...message,
    content: Array.isArray(content)
      ? content.map((part) => {
          if (!isImage(part)) return part
          urls.push(urlOf(part))
          return { type: 'image' }
        })
      : content,
  }))
  if (urls.length > limits.most)
    throw problems.refused('TOO_MANY_IMAGES', `A request may have ${limits.most} images.`, 'messages')
  const files: Uint8Array[] = []
  let total = 0
  for (const [at, url] of urls.entries()) {
    const bytes = url.startsWith('data:') ? decoded(url, at) : await fetched(url, at, limits, signal)
    total += bytes.length
    if (total > MOST_BYTES) throw bad(at, 'is too large with those before it; they may have 16 MiB together')
    checkImage(bytes, at, limits)
    files.push(bytes)
  }
  return { messages: JSON.stringify(shown), files }
}

function isImage({ type }: Part): boolean {
  return type === 'image_url' || type === 'image'
}

function urlOf(part: Part): string {
  const given = part.image_url
  const url = typeof given === 'object' && given !== null && 'url' in given ? given.url : given
  if (typeof url === 'string') return url
  throw problems.refused('BAD_IMAGE', 'A part with an image needs image_url.url.', 'messages')
}

function decoded(url: string, at: number): Uint8Array {
  const head = DATA_URL.exec(url)?.[0]
  if (head === undefined) throw bad(at, 'is no data URL in base64')
  const bytes = Buffer.from(url.slice(head.length), 'base64')
  if (bytes.length === 0) throw bad(at, 'is empty')
  return bytes
}

async function fetched(
  url: string,
  at: number,
  { outbound, bytes: most }: ImageLimits,
  signal: AbortSignal,
): Promise<Uint8Array> {
  if (!outbound)
    throw problems.refused(
      'NO_IMAGE_ADDRESSES',
      'Images at addresses are not fetched here; send the image itself, as a data URL.',
      'messages',
    )
  const late = AbortSignal.any([signal, AbortSignal.timeout(FETCH_MS)])
  try {
    const answer = await outbound.fetch(url, { signal: late })
    if (answer.status !== 200 || !answer.body) {
      await answer.body?.cancel()
      throw bad(at, `can't be read: its address answers ${answer.status}`)
    }
    return await collect(answer.body as AsyncIterable<Uint8Array>, most)
  } catch (error) {
    if (error instanceof RangeError) throw tooLarge(at, most)
    if (error instanceof HeddleError && error.status < 500) throw error
    throw bad(at, "can't be read from its address")
  }
}

function checkImage(bytes: Uint8Array, at: number, { bytes: most, pixels }: ImageLimits): void {
  if (bytes.length > most) throw tooLarge(at, most)
  if (!KINDS.has(imageKind(bytes)?.mime ?? '')) throw bad(at, 'is neither PNG, JPEG, WebP nor GIF')
  const { width, height } = sizeOf(bytes, at)
  if (width * height > pixels) throw bad(at, `has ${width} × ${height} pixels; it may have ${pixels} in all`)
}

function sizeOf(bytes: Uint8Array, at: number): { width: number; height: number } {
  try {
    return imageSize(bytes)
  } catch {
    throw bad(at, 'is damaged')
  }
}

const tooLarge = (at: number, most: number) => bad(at, `has more than ${most} bytes`)

/** @param at of the images, from 0 */
function bad(at: number, what: string): HeddleError {
  return problems.refused('BAD_IMAGE', `Image ${at + 1} ${what}.`, 'messages')
}
