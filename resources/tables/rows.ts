/**
 * Collects a table's rows in stored form: digest and JSON text, refs in internal form. Rows without refs keep the bytes
 * they came in. Pure.
 */

import { CanonicalWriter } from '../../domain/refs/canonical-bytes.js'
import { canonicalDigest, objectDigest } from '../../domain/refs/digest.js'
import { refsToInternal } from '../../domain/refs/refs.js'
import { Bytes } from '../../platform/bytes/bytes.js'
import { minifyInto } from '../../platform/json/minify.js'
import type { Slice } from '../../platform/json/scan.js'
import { parseTree, treeText } from '../../platform/json/tree.js'
import { type ListMemory, ListWriter } from './digest-list.js'

/** Distinct rows, in order of first occurrence; `texts[ends[i - 1], ends[i])` is the text of `digests[i]`. */
export interface RowSet {
  digests: ListMemory
  texts: Uint8Array<ArrayBuffer>
  ends: Uint32Array<ArrayBuffer>
}

/** Collects rows. */
export class RowCollector {
  private readonly places = new Map<string, number>()
  private readonly digests: string[] = []
  private readonly writer = new CanonicalWriter()
  private readonly texts = new Bytes(1 << 16)
  private readonly ends: number[] = []
  /** names of the projects of refs in rows */
  readonly projects = new Set<string>()
  private readonly anyRefs: boolean

  /** @param source the text that contains all rows */
  constructor(private readonly source: Uint8Array) {
    this.anyRefs = mayHaveRefs(source, { from: 0, to: source.length })
  }

  /**
   * Adds the object at `slice` of scanned text, unless it is a duplicate. @returns its index among the rows
   * @param tidy it is already in its stored form (see `minify.ts`)
   * @throws JsonError for a number beyond a double
   */
  add(slice: Slice, tidy = false): number {
    const { source } = this
    return this.anyRefs && mayHaveRefs(source, slice)
      ? this.addTree(source.subarray(slice.from, slice.to))
      : this.addBytes(slice, tidy)
  }

  digestOf(row: number): string {
    return this.digests[row]!
  }

  /** The collected rows; call once. */
  finish(): RowSet {
    const texts = new Uint8Array(this.texts.pos)
    texts.set(this.texts.buf.subarray(0, this.texts.pos))
    const digests = new ListWriter()
    for (const digest of this.digests) digests.add(digest)
    return { digests: digests.finish(), texts, ends: Uint32Array.from(this.ends) }
  }

  private addBytes(slice: Slice, tidy: boolean): number {
    const { source, texts } = this
    const digest = canonicalDigest(this.writer.write(source, slice))
    return this.place(digest, () => {
      if (tidy) return texts.copy(source, slice.from, slice.to)
      texts.reserve(slice.to - slice.from)
      texts.pos = minifyInto(source, slice.from, slice.to, texts.buf, texts.pos)
    })
  }

  private addTree(json: Uint8Array): number {
    const tree = refsToInternal(parseTree(json), (name) => this.projects.add(name))
    return this.place(objectDigest(tree), () => this.texts.utf8(treeText(tree)))
  }

  /** The index of the row with this digest; if there is none, adds one, whose text `write` appends. */
  private place(digest: string, write: () => void): number {
    const known = this.places.get(digest)
    if (known !== undefined) return known
    const place = this.digests.push(digest) - 1
    this.places.set(digest, place)
    write()
    this.ends.push(this.texts.pos)
    return place
  }
}

/** False only if no string in it can contain `weave:///`, even with escapes. */
function mayHaveRefs(source: Uint8Array, { from, to }: Slice): boolean {
  const row = Buffer.from(source.buffer, source.byteOffset + from, to - from)
  if (row.includes('weave:')) return true
  if (!row.includes('\\')) return false
  if (row.includes('\\/')) return true
  // ASCII letters may be written as escapes, though clients don't do so.
  for (let at = row.indexOf('\\u00'); at >= 0; at = row.indexOf('\\u00', at + 4)) {
    const digit = row[at + 4]!
    if (digit >= 0x32 && digit <= 0x37) return true
  }
  return false
}
