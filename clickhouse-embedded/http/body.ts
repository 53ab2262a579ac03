/**
 * Brings a request's body where it belongs: SQL into memory, data into a spool file. What is data never
 * becomes part of the SQL. Knows the protocol's rules for the two, not the engine.
 */
import type { IncomingMessage } from 'node:http'
import { pipeline, type Readable } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { ownOf } from '../../platform/json/object.js'
import { Lru } from '../../platform/lru/lru.js'
import { failure } from '../engine/failure.js'
import { type DataInsert, readStatement, type Statement } from '../sql/statement.js'
import type { TempFile, TempFiles } from '../temp-file.js'

/** What a request asks to be run. */
export type Request =
  | { kind: 'text'; sql: string; statement: Exclude<Statement, { kind: 'refused' }> }
  /** `compression` is the engine's name for how the file is packed. */
  | { kind: 'data'; insert: DataInsert; file: TempFile; compression: string }
  /** The same, while it is short: `spill` makes a file of it. */
  | {
      kind: 'short'
      insert: DataInsert
      chunks: Buffer[]
      length: number
      /** To be called when it is done with, if it was not spilled. */
      release: () => void
      spill: () => Request & { kind: 'data' }
    }

/** Where the statement of a body must have shown itself. */
const maxHead = 256 * 1024
/** All short data together; more of it goes to files. */
const maxInMemory = 128 * 1024 * 1024
const maxText = 16 * 1024 * 1024
/** Inline VALUES up to here stay in the text: the engine's parser finds their end, expressions included. */
const maxInlineValues = 256 * 1024
/** Reading the tokens of a long statement takes a quarter of a millisecond, and the same ones come again and again. */
const known = new Lru<Statement>(4 << 20, (_, sql) => sql.length)

const compressions: Record<string, string> = {
  gzip: 'gzip',
  'x-gzip': 'gzip',
  deflate: 'deflate',
  br: 'br',
  zstd: 'zstd',
}

/**
 * Reads the body of `request`.
 * @param query the `query` parameter, if there was one.
 * @param maxBody bytes that one body may have on its way.
 * @param maxShort bytes up to which the data of this INSERT may stay in memory.
 * @throws QueryFailure where the body is too large, packed in an unknown way, or the client has gone.
 */
export async function readBody(
  request: IncomingMessage,
  query: string | undefined,
  tempFiles: TempFiles,
  maxBody: number,
  maxShort: (insert: DataInsert, compression: string) => number = () => 0,
): Promise<Request> {
  const encoding = (request.headers['content-encoding'] ?? 'identity').toLowerCase()
  const compression = encoding === 'identity' ? 'none' : ownOf(compressions, encoding)
  if (compression === undefined)
    throw failure(89, 'UNKNOWN_COMPRESSION_METHOD', `Unknown encoding ${encoding}`)
  const declared = Number(request.headers['content-length'] ?? 0)
  if (declared > maxBody) throw tooLarge(maxBody)
  const statement = query === undefined ? undefined : allowed(readKnown(query))
  if (query === undefined || statement?.kind !== 'data-insert') {
    return readText(request, query, compression, tempFiles, maxBody)
  }
  // ClickHouse joins the two with a line end, which belongs to the statement where the data is all body.
  const inline = query.slice(statement.dataStart)
  const isBodyOnly = inline.trim() === ''
  if (!isBodyOnly && !hasBody(request)) return inlineOrFile(query, statement, tempFiles)
  const limit = isBodyOnly ? maxShort(statement, compression) : 0
  const head: Buffer[] = isBodyOnly ? [] : [Buffer.from(`${inline}\n`)]
  let held = 0
  const release = (): void => {
    tempFiles.inMemory -= held
    held = 0
  }
  const toFile = (): TempFile => {
    release()
    return fileOf(head, tempFiles)
  }
  let length = 0
  let file: TempFile | undefined
  try {
    for await (const chunk of chunks(request, isBodyOnly ? 'none' : compression)) {
      length += chunk.length
      if (length > maxBody) throw tooLarge(maxBody)
      if (file) {
        file.write(chunk)
        continue
      }
      head.push(chunk)
      held += chunk.length
      tempFiles.inMemory += chunk.length
      if (length > limit || tempFiles.inMemory > maxInMemory) file = toFile()
    }
    const packing = isBodyOnly && length > 0 ? compression : 'none'
    const spill = (): Request & { kind: 'data' } => {
      const whole = file ?? toFile()
      whole.finish()
      return { kind: 'data', insert: statement, file: whole, compression: packing }
    }
    if (file || length === 0) return spill()
    return { kind: 'short', insert: statement, chunks: head, length, spill, release }
  } catch (error) {
    release()
    file?.release()
    throw error
  }
}

function fileOf(chunks: readonly Buffer[], tempFiles: TempFiles): TempFile {
  const file = tempFiles.take()
  try {
    for (const chunk of chunks) file.write(chunk)
    return file
  } catch (error) {
    file.release()
    throw error
  }
}

/** A body that is SQL, or begins with SQL. */
async function readText(
  request: IncomingMessage,
  query: string | undefined,
  compression: string,
  tempFiles: TempFiles,
  maxBody: number,
): Promise<Request> {
  let parts: Buffer[] = query === undefined ? [] : [Buffer.from(`${query}\n`)]
  let size = 0
  let headRead = query !== undefined
  let data: { insert: DataInsert; file: TempFile } | undefined
  try {
    for await (const chunk of chunks(request, compression)) {
      size += chunk.length
      if (size > maxBody || (!data && size > maxText)) throw tooLarge(data ? maxBody : maxText)
      if (data) {
        data.file.write(chunk)
        continue
      }
      parts.push(chunk)
      if (headRead || size <= maxHead) continue
      headRead = true
      const head = Buffer.concat(parts)
      data = beginData(head, tempFiles)
      parts = [head]
    }
    if (data) {
      data.file.finish()
      return { kind: 'data', ...data, compression: 'none' }
    }
  } catch (error) {
    data?.file.release()
    throw error
  }
  if (query !== undefined && size === 0) return textRequest(query, tempFiles)
  return textRequest(Buffer.concat(parts).toString('utf8'), tempFiles)
}

function textRequest(sql: string, tempFiles: TempFiles): Request {
  const statement = allowed(readKnown(sql))
  if (statement.kind === 'data-insert') return inlineOrFile(sql, statement, tempFiles)
  return { kind: 'text', sql, statement }
}

function readKnown(sql: string): Statement {
  const before = known.get(sql)
  if (before) return before
  const statement = readStatement(sql)
  // An INSERT that has its rows in its text does not come again.
  const isHead = statement.kind === 'data-insert' && statement.dataStart >= sql.length
  if (isHead || statement.kind === 'select') known.set(sql, statement)
  return statement
}

/** An INSERT that carries its data in its text. */
function inlineOrFile(sql: string, statement: DataInsert, tempFiles: TempFiles): Request {
  const isShort = sql.length <= maxInlineValues
  if (statement.saysValues && isShort)
    return { kind: 'text', sql, statement: { kind: 'insert', format: undefined } }
  const file = tempFiles.take()
  try {
    file.write(Buffer.from(sql.slice(statement.dataStart)))
    file.finish()
  } catch (error) {
    file.release()
    throw error
  }
  return { kind: 'data', insert: statement, file, compression: 'none' }
}

/** Reads the statement at the beginning of a long body; the bytes after it go to a file as they are. */
function beginData(head: Buffer, tempFiles: TempFiles): { insert: DataInsert; file: TempFile } | undefined {
  // One character a byte, so that offsets in the text are offsets in the body.
  const bytes = allowed(readStatement(head.toString('latin1')))
  if (bytes.kind !== 'data-insert' || bytes.dataStart > maxHead) return undefined
  const utf8 = (text: string): string => Buffer.from(text, 'latin1').toString('utf8')
  const insert = { ...bytes, head: utf8(bytes.head), settings: utf8(bytes.settings) }
  const file = tempFiles.take()
  try {
    file.write(head.subarray(bytes.dataStart))
  } catch (error) {
    file.release()
    throw error
  }
  return { insert, file }
}

/** Collects a body that must be small. */
export async function readSmall(request: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = []
  let size = 0
  for await (const chunk of chunks(request, 'none')) {
    parts.push(chunk)
    size += chunk.length
    if (size > maxText) throw tooLarge(maxText)
  }
  return Buffer.concat(parts)
}

function hasBody(request: IncomingMessage): boolean {
  return (
    request.headers['transfer-encoding'] !== undefined || Number(request.headers['content-length'] ?? 0) > 0
  )
}

/** The body, unpacked; throws where it ends before its end. */
async function* chunks(request: IncomingMessage, compression: string): AsyncGenerator<Buffer> {
  try {
    for await (const chunk of unpacked(request, compression)) yield chunk as Buffer
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    if (/^(Z_|ERR_(?!STREAM))/.test(code)) {
      throw failure(354, 'ZLIB_INFLATE_FAILED', 'The body is not what its Content-Encoding says')
    }
    throw code ? gone() : error
  }
  if (!request.complete) throw gone()
}

function unpacked(request: IncomingMessage, compression: string): Readable {
  if (compression === 'none') return request
  const unpack = { gzip: createGunzip, deflate: createInflate, br: createBrotliDecompress }[compression]
  if (!unpack) throw failure(48, 'NOT_IMPLEMENTED', `SQL can't be sent with ${compression}; use gzip`)
  return pipeline(request, unpack(), () => {})
}

function allowed(statement: Statement): Exclude<Statement, { kind: 'refused' }> {
  if (statement.kind === 'refused') throw failure(48, 'NOT_IMPLEMENTED', statement.reason)
  return statement
}

function tooLarge(limit: number): Error {
  return failure(229, 'QUERY_IS_TOO_LARGE', `The body is larger than ${limit} bytes`)
}

function gone(): Error {
  return failure(210, 'NETWORK_ERROR', 'The client has gone before the end of the body')
}
