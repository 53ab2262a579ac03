import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { literal, locationOf } from './location.js'
import { backupStatement, restoreStatement } from './statement.js'

const keys = { accessKeyId: 'id', secretAccessKey: 'secret' }

describe('a location', () => {
  it('is a folder, or a bucket at AWS or elsewhere', () => {
    expect(locationOf('/backups/one/', 'store', {}, true)).toBe("File('/backups/one/store')")
    expect(locationOf('s3://bucket/a/b', 'store', { ...keys, region: 'eu-west-1' }, true)).toBe(
      "S3('https://s3.eu-west-1.amazonaws.com/bucket/a/b/store', 'id', 'secret')",
    )
    expect(locationOf('s3://bucket/a', 'store', { ...keys, endpoint: 'http://minio:9000/' }, true)).toBe(
      "S3('http://minio:9000/bucket/a/store', 'id', 'secret')",
    )
  })

  it('without keys is reached by a role of the server, which an embedded engine has not', () => {
    expect(locationOf('s3://bucket/a', 'store', {}, false)).toBe(
      "S3('https://s3.us-east-1.amazonaws.com/bucket/a/store')",
    )
    expect(() => locationOf('s3://bucket/a', 'store', {}, true)).toThrow('AWS_ACCESS_KEY_ID')
  })

  it('with keys that do not last is refused', () => {
    for (const embedded of [true, false])
      expect(() => locationOf('s3://bucket/a', 'store', { ...keys, sessionToken: 't' }, embedded)).toThrow(
        'lasting keys',
      )
  })

  it('cannot end the string that it stands in', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom("'", '\\', 'a', ')') }), (text) => {
        const inner = literal(text).slice(1, -1)
        expect(inner.replaceAll(/\\[\\']/g, '')).not.toMatch(/['\\]/)
      }),
    )
  })
})

describe('the statements', () => {
  const names = { database: 'heddle', tables: ['calls', 'calls_local'], cluster: undefined }

  it('of one server', () => {
    expect(backupStatement(names, "File('/b/store')", 'x')).toBe(
      "BACKUP TABLE heddle.calls, TABLE heddle.calls_local TO File('/b/store') SETTINGS id = 'x' ASYNC",
    )
    expect(restoreStatement(names, 'other', "File('/b/store')", 'x')).toBe(
      "RESTORE TABLE heddle.calls AS other.calls, TABLE heddle.calls_local AS other.calls_local FROM File('/b/store') SETTINGS id = 'x' ASYNC",
    )
  })

  it('of a cluster, on top of an earlier one', () => {
    expect(backupStatement({ ...names, cluster: 'main' }, "File('/c')", 'x', "File('/b')")).toBe(
      "BACKUP TABLE heddle.calls, TABLE heddle.calls_local ON CLUSTER 'main' TO File('/c') SETTINGS id = 'x', base_backup = File('/b') ASYNC",
    )
  })

  it('take names alone where names stand', () => {
    expect(() => backupStatement({ ...names, tables: ['a; DROP'] }, "File('/c')", 'x')).toThrow('not a name')
  })
})
