import { describe, expect, it } from 'vitest'
import { canonicalJson } from './canonical.js'
import { fileDigest, objectDigest, tableDigest } from './digest.js'
import vectors from './vectors.json' with { type: 'json' }

describe('digests equal the published vectors', () => {
  it.each(vectors.object)('object $json', ({ json, canonical, digest }) => {
    expect(canonicalJson(Buffer.from(json))).toBe(canonical)
    expect(objectDigest(Buffer.from(json))).toBe(digest)
  })

  it.each(vectors.row)('row $json', ({ json, digest }) => {
    expect(objectDigest(Buffer.from(json))).toBe(digest)
  })

  it.each(vectors.table)('table $row_digests', ({ row_digests, digest }) => {
    expect(tableDigest(row_digests)).toBe(digest)
  })

  it.each(vectors.file)('file $hex', ({ hex, digest }) => {
    expect(fileDigest(Buffer.from(hex, 'hex'))).toBe(digest)
  })
})
