/**
 * Rows of a table as they are stored: each one's digest and JSON text, refs in internal form. Rows without refs are
 * digested and kept as the bytes they came in. Pure.
 */
import { Bytes } from '../../common/calls/bytes.js'
import { CanonicalWriter } from '../../common/digest/canonical-bytes.js'
import { canonicalDigest, objectDigest } from '../../common/digest/digest.js'
import { refsToInternal } from '../../common/digest/refs.js'
import { minifyInto } from '../../common/json/minify.js'
import type { Slice } from '../../common/json/scan.js'
import { parseTree, treeText } from '../../common/json/tree.js'

/** Distinct rows, in the order they first came; `texts[ends[i - 1], ends[i])` is the text of `digests[i]`. */
export interface RowSet {
  digests: string[]
  texts: Uint8Array<ArrayBuffer>
  ends: Uint32Array<ArrayBuffer>
}

/** Collects rows. */
export class RowCollector {
  private readonly places = new Map<string, number>()
  private readonly writer = new CanonicalWriter()
  private readonly texts = new Bytes(1 << 16)
  private readonly ends: number[] = []
  /** names of the projects that refs in rows name */
  readonly projects = new Set<string>()

  /**
   * Adds the object at `slice` of scanned text, if it is not here yet, and returns its digest.
   * @throws JsonError for a number beyond a double
   */
  add(source: Uint8Array, slice: Slice): string {
    return mayHaveRefs(source, slice) ? this.addTree(source, slice) : this.addBytes(source, slice)
  }

  /** What was collected; call once. */
  finish(): RowSet {
    const texts = new Uint8Array(this.texts.pos)
    texts.set(this.texts.buf.subarray(0, this.texts.pos))
    return { digests: [...this.places.keys()], texts, ends: Uint32Array.from(this.ends) }
  }

  private addBytes(source: Uint8Array, slice: Slice): string {
    const digest = canonicalDigest(this.writer.write(source, slice))
    if (!this.isNew(digest)) return digest
    const { texts } = this
    texts.reserve(slice.to - slice.from)
    texts.pos = minifyInto(source, slice.from, slice.to, texts.buf, texts.pos)
    this.ends.push(texts.pos)
    return digest
  }

  private addTree(source: Uint8Array, slice: Slice): string {
    const tree = refsToInternal(parseTree(source.subarray(slice.from, slice.to)), (name) =>
      this.projects.add(name),
    )
    const digest = objectDigest(tree)
    if (!this.isNew(digest)) return digest
    this.texts.utf8(treeText(tree))
    this.ends.push(this.texts.pos)
    return digest
  }

  private isNew(digest: string): boolean {
    if (this.places.has(digest)) return false
    this.places.set(digest, this.places.size)
    return true
  }
}

/** False only if no string in it can say `weave:///`, whatever its escapes. */
function mayHaveRefs(source: Uint8Array, { from, to }: Slice): boolean {
  const row = Buffer.from(source.buffer, source.byteOffset + from, to - from)
  if (row.includes('weave:')) return true
  if (!row.includes('\\')) return false
  if (row.includes('\\/')) return true
  // ASCII letters as escapes: nobody writes them, but they would be read.
  for (let at = row.indexOf('\\u00'); at >= 0; at = row.indexOf('\\u00', at + 4)) {
    const digit = row[at + 4]!
    if (digit >= 0x32 && digit <= 0x37) return true
  }
  return false
}
