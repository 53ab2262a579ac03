/**
 * Output formats: which of them may leave the engine block by block, and their content types. The engine
 * writes each block as a document of its own, so only formats without a frame can be joined.
 */
import { ownOf } from '../../platform/json/object.js'

type Format = {
  contentType: string
  /** Lines repeated at the beginning of each block; undefined where blocks can't be joined at all. */
  headerLines?: number
}

const utf8 = '; charset=UTF-8'
const ndjson = `application/x-ndjson${utf8}`
const tsv = `text/tab-separated-values${utf8}`
const csv = `text/csv${utf8}`
const plain = `text/plain${utf8}`
const binary = 'application/octet-stream'

const formats: Record<string, Format> = {
  jsoneachrow: { contentType: ndjson, headerLines: 0 },
  jsonlines: { contentType: ndjson, headerLines: 0 },
  ndjson: { contentType: ndjson, headerLines: 0 },
  jsonstringseachrow: { contentType: ndjson, headerLines: 0 },
  jsoncompacteachrow: { contentType: ndjson, headerLines: 0 },
  jsoncompactstringseachrow: { contentType: ndjson, headerLines: 0 },
  jsoncompacteachrowwithnames: { contentType: ndjson, headerLines: 1 },
  jsoncompactstringseachrowwithnames: { contentType: ndjson, headerLines: 1 },
  jsoncompacteachrowwithnamesandtypes: { contentType: ndjson, headerLines: 2 },
  jsoncompactstringseachrowwithnamesandtypes: { contentType: ndjson, headerLines: 2 },
  tabseparated: { contentType: tsv, headerLines: 0 },
  tsv: { contentType: tsv, headerLines: 0 },
  tabseparatedraw: { contentType: tsv, headerLines: 0 },
  tsvraw: { contentType: tsv, headerLines: 0 },
  tabseparatedwithnames: { contentType: tsv, headerLines: 1 },
  tsvwithnames: { contentType: tsv, headerLines: 1 },
  tabseparatedwithnamesandtypes: { contentType: tsv, headerLines: 2 },
  tsvwithnamesandtypes: { contentType: tsv, headerLines: 2 },
  csv: { contentType: `${csv}; header=absent`, headerLines: 0 },
  csvwithnames: { contentType: `${csv}; header=present`, headerLines: 1 },
  csvwithnamesandtypes: { contentType: `${csv}; header=present`, headerLines: 2 },
  lineasstring: { contentType: plain, headerLines: 0 },
  rawblob: { contentType: binary, headerLines: 0 },
  rowbinary: { contentType: binary, headerLines: 0 },
  native: { contentType: binary, headerLines: 0 },
  null: { contentType: plain, headerLines: 0 },
  json: { contentType: `application/json${utf8}` },
  jsonstrings: { contentType: `application/json${utf8}` },
  jsoncompact: { contentType: `application/json${utf8}` },
  jsoncompactstrings: { contentType: `application/json${utf8}` },
  jsonobjecteachrow: { contentType: `application/json${utf8}` },
  jsoncolumns: { contentType: `application/json${utf8}` },
  xml: { contentType: `application/xml${utf8}` },
  values: { contentType: plain },
  vertical: { contentType: plain },
  pretty: { contentType: plain },
  markdown: { contentType: `text/markdown${utf8}` },
}

/** The `Content-Type` of a result in the given format. */
export function contentType(format: string): string {
  return ownOf(formats, format.toLowerCase())?.contentType ?? binary
}

/** Lines to drop from every block but the first; undefined where the format can't be streamed. */
export function headerLines(format: string): number | undefined {
  return ownOf(formats, format.toLowerCase())?.headerLines
}

/**
 * Drops the first `lines` lines of a block. Line ends inside double quotes don't count where `quoted`, as
 * CSV may hold them in a column's name.
 */
export function withoutHeader<T extends Uint8Array>(block: T, lines: number, quoted: boolean): T {
  let at = 0
  let inside = false
  for (let left = lines; left > 0 && at < block.length; at++) {
    if (block[at] === 0x22 && quoted) inside = !inside
    else if (block[at] === 0x0a && !inside) left--
  }
  return block.subarray(at) as T
}
