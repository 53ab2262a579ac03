/** Cuts answers to a budget of tokens, with a cursor that goes on. Pure. */
import { z } from 'zod'
import { HeddleError } from '../platform/errors/error.js'
import { parsedAs } from '../platform/json/parse.js'

/** How many bytes of JSON are a token, on the careful side. */
const BYTES_PER_TOKEN = 3
/** For the members of an answer beside its list or text. */
const FRAME_BYTES = 400

export const maxTokens = z.int().min(500).max(50_000).default(6000).describe('how long the answer may be')

export const cursorIn = z.string().max(2000).optional().describe('next_cursor of the answer before, to go on')
export const cursorOut = z.string().optional().describe('there is more: call again with this as cursor')

/** An opaque text of where the next answer begins. */
export function cursorOf(place: unknown): string {
  return Buffer.from(JSON.stringify(place)).toString('base64url')
}

/** Where an answer begins. @throws `BAD_CURSOR` for what is no cursor of this tool */
export function placeOf<T>(schema: z.ZodType<T>, cursor: string): T {
  const place = parsedAs(schema, Buffer.from(cursor, 'base64url').toString())
  if (place !== undefined) return place
  throw new HeddleError('BAD_CURSOR', 400, 'This is no cursor of this tool; call it without one.')
}

const Offset = z.int().min(0)

/** Where a list begins whose cursor is a number. @throws `BAD_CURSOR` */
export function offsetOf(cursor: string | undefined): number {
  return cursor === undefined ? 0 : placeOf(Offset, cursor)
}

/** The first of `items` that fit, at least one. */
export function fitting<T>(items: readonly T[], tokens: number): T[] {
  let left = tokens * BYTES_PER_TOKEN - FRAME_BYTES
  const end = items.findIndex((item, i) => {
    left -= bytesOf(item) + 1
    return left < 0 && i > 0
  })
  return end < 0 ? [...items] : items.slice(0, end)
}

/** Of a list that begins at `offset`: what fits, and the cursor of what follows. @param more whether others follow `items` */
export function pageOf<T>(
  items: readonly T[],
  offset: number,
  tokens: number,
  more = false,
): { page: T[]; next_cursor?: string } {
  const page = fitting(items, tokens)
  const isCut = page.length < items.length || more
  return { page, ...(isCut && { next_cursor: cursorOf(offset + page.length) }) }
}

/** A value as it is if it fits, else a part of its JSON text from `offset` on. */
export function wholeOrPart(
  value: unknown,
  offset: number,
  tokens: number,
): { value?: unknown; json_part?: string; next_cursor?: string } {
  const room = tokens * BYTES_PER_TOKEN - FRAME_BYTES
  if (offset === 0 && bytesOf(value) <= room) return { value }
  const text = JSON.stringify(value) ?? 'null'
  let end = Math.min(text.length, offset + room)
  // Escapes and other scripts take more bytes than characters.
  while (end > offset + 1 && bytesOf(text.slice(offset, end)) > room)
    end = offset + Math.floor((end - offset) * 0.7)
  // A pair of surrogates stays together.
  if (end < text.length && end > offset + 1 && /[\uD800-\uDBFF]/.test(text[end - 1]!)) end--
  return { json_part: text.slice(offset, end), ...(end < text.length && { next_cursor: cursorOf(end) }) }
}

/** How a value begins, on one line. */
export function glimpse(value: unknown, characters: number): string | undefined {
  if (value === null || value === undefined) return undefined
  const text = (typeof value === 'string' ? value : JSON.stringify(value)).replaceAll(/\s+/g, ' ')
  return text.length > characters ? `${text.slice(0, characters).replace(/[\uD800-\uDBFF]$/, '')}…` : text
}

/** Without members that say nothing. */
export function lean<T extends object>(value: T): { [K in keyof T]?: NonNullable<T[K]> } {
  const said = Object.entries(value).filter(([, one]) => one !== null && one !== undefined && one !== '')
  return Object.fromEntries(said) as { [K in keyof T]?: NonNullable<T[K]> }
}

function bytesOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value) ?? '')
}
