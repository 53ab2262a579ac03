/**
 * Publishes what evaluations are made of as objects, the way the SDKs do: a value becomes a version, an op is a file
 * with its source and an object that names it. Knows nothing of HTTP.
 */
import { fileDigest, objectDigest } from '../../common/digest/digest.js'
import { errors } from '../../common/errors/catalog.js'
import { projectIdOf } from '../../common/ids/project.js'
import { type JsonTree, treeText } from '../../common/json/tree.js'
import type { ProjectRegister } from '../../common/projects/register.js'
import { type ObjectRef, refText } from '../../common/refs/ref.js'
import type { FileStore } from '../files/store.js'
import { checkObjectId } from '../objects/create.js'
import type { VersionFinder } from '../objects/find.js'
import type { ObjectReader } from '../objects/reader.js'
import type { Version } from '../objects/versions.js'
import type { ObjectWriter } from '../objects/writer.js'
import { Recent } from '../recent.js'
import type { Workers } from '../workers/workers.js'

export interface PublishParts {
  files: FileStore
  reader: ObjectReader
  finder: VersionFinder
  writer: ObjectWriter
  register: ProjectRegister
  workers: Workers
}

/** Who publishes where. */
export interface Author {
  /** `entity/project` */
  project: string
  userId: string
}

export const OP_FILE = 'obj.py'

/** Ops of the service's own that are known to be there. */
const REMEMBERED = 20_000

export class Publisher {
  private readonly there = new Recent<true>(REMEMBERED)

  constructor(private readonly parts: PublishParts) {}

  /**
   * Makes `value` a version of the object `id`.
   * @param more JSON text of an object with members of the caller's, which come first; those of `value` go before them
   * @throws 422 for an id that can't be one, 400 where the object is of another kind or class
   */
  async object(
    { project, userId }: Author,
    id: string,
    value: ReadonlyMap<string, JsonTree>,
    more = '{}',
  ): Promise<Version> {
    checkObjectId(id)
    const own = treeText(new Map(value))
    const whole = more === '{}' ? own : `${more.slice(0, -1)},${own.slice(1)}`
    const { digest, text, classes, projects } = await this.parts.workers.run('value', Buffer.from(whole))
    const key = { project: projectIdOf(project), object: id, digest }
    const [before] = await Promise.all([
      this.parts.reader.version({ ...key, by: 'latest' }),
      this.parts.register.note([project, ...projects]),
    ])
    if (before && before.deleted_at === 0 && before.kind !== classes.kind)
      throw errors.badRequest(
        `"${id}" is an ${before.kind}, so no ${classes.kind} can have this name; choose another one.`,
      )
    await this.parts.writer.create({ ...key, classes, text, userId })
    return (await this.parts.reader.version({ ...key, by: 'digest' }))!
  }

  /** Makes `source` a version of the op `id`. */
  async op(author: Author, id: string, source: string): Promise<Version> {
    return this.object(author, id, opValue(await this.source(author, source)))
  }

  /** The ref of the op `id` with this source of the service's own; published where it is not there yet. */
  async ownOp(author: Author, id: string, source: string): Promise<string> {
    const digest = objectDigest(opValue(fileDigest(Buffer.from(source))))
    const name = `${projectIdOf(author.project)} ${id} ${digest}`
    if (!this.there.get(name)) {
      await this.op(author, id, source)
      this.there.set(name, true)
    }
    return refOf(author.project, 'op', id, digest)
  }

  /** Stores a source; returns the digest of its file. */
  async source({ project }: Author, source: string): Promise<string> {
    const content = Buffer.from(source)
    const digest = fileDigest(content)
    await this.parts.register.note([project])
    await this.parts.files.write({ project: projectIdOf(project), digest, name: OP_FILE, content })
    return digest
  }
}

function opValue(file: string): Map<string, JsonTree> {
  return new Map<string, JsonTree>([
    ['_type', 'CustomWeaveType'],
    ['weave_type', new Map([['type', 'Op']])],
    ['files', new Map([[OP_FILE, file]])],
  ])
}

/** What every value of one of the SDK's own classes begins with. */
export function classValue(name: string): [string, JsonTree][] {
  return [
    ['_type', name],
    ['_class_name', name],
    ['_bases', ['Object', 'BaseModel']],
  ]
}

/** The wire form of the ref of a version. */
export function refOf(project: string, kind: ObjectRef['kind'], name: string, digest: string): string {
  return refText({ project, kind, name, digest, steps: [] })
}
