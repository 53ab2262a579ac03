/**
 * Publishes the objects of evaluations as the SDKs do: a value becomes a version, an op is a file with its source and an
 * object that references it.
 */
import { isWithin, OBJECT_ID_LIMIT } from '../../contract/limits.js'
import { type ObjectRef, refText } from '../../contract/ref.js'
import { fileDigest, objectDigest } from '../../domain/refs/digest.js'
import { OP_FILE, opValueText, type PlaceholderSource } from '../../domain/refs/placeholder-op.js'
import { errors } from '../../platform/errors/catalog.js'
import { projectIdOf } from '../../platform/ids/project.js'
import { Lru } from '../../platform/lru/lru.js'
import { checkObjectId } from '../objects/create.js'
import type { Version } from '../objects/versions.js'
import type { Parts } from '../parts.js'

/** The publishing user and the project. */
export interface Author {
  project: string
  userId: string
}

/** The most ops remembered as already published. */
const REMEMBERED = 20_000

export class Publisher {
  private readonly there = new Lru<true>(REMEMBERED)

  constructor(private readonly parts: Parts) {}

  /**
   * Publishes the value `json` as a version of the object `id`. @returns its digest
   * @throws 400 if the id is too long or the object has another class; 422 for an invalid id
   */
  async object({ project, userId }: Author, id: string, json: string): Promise<string> {
    if (!isWithin(id, OBJECT_ID_LIMIT))
      throw errors.badRequest(
        `"${id.slice(0, 200)}" is too long for a name; use at most ${OBJECT_ID_LIMIT} characters.`,
      )
    checkObjectId(id)
    const { digest, text, classes, projects } = await this.parts.workers.run('value', Buffer.from(json))
    const key = { project: projectIdOf(project), object: id, digest }
    await this.parts.register.note([project, ...projects])
    await this.parts.objectWriter.create({ ...key, classes, text, userId })
    return digest
  }

  /** Publishes `source` as a version of the op `id`. @returns its digest */
  async op(author: Author, id: string, source: string | PlaceholderSource): Promise<string> {
    return this.object(author, id, opValueText(await this.source(author, source)))
  }

  /** A version that was published, with its index. */
  async version({ project }: Author, id: string, digest: string): Promise<Version> {
    const key = { project: projectIdOf(project), object: id, digest }
    return (await this.parts.objectReader.version({ ...key, by: 'digest' }))!
  }

  /** The ref of the service's own op `id` with this source, published if it is new. */
  async ownOp(author: Author, id: string, source: PlaceholderSource): Promise<string> {
    const digest = objectDigest(Buffer.from(opValueText(source.digest)))
    const name = `${projectIdOf(author.project)} ${id} ${digest}`
    if (!this.there.get(name)) {
      await this.op(author, id, source)
      this.there.set(name, true)
    }
    return refOf(author.project, 'op', id, digest)
  }

  /** Stores a source. @returns the digest of its file */
  async source({ project }: Author, source: string | PlaceholderSource): Promise<string> {
    const content = Buffer.from(typeof source === 'string' ? source : source.text)
    const digest = typeof source === 'string' ? fileDigest(content) : source.digest
    await this.parts.register.note([project])
    await this.parts.files.write({ project: projectIdOf(project), digest, name: OP_FILE, content })
    return digest
  }
}

/** A version's ref in wire form. */
export function refOf(project: string, kind: ObjectRef['kind'], name: string, digest: string): string {
  return refText({ project, kind, name, digest, steps: [] })
}
