/** The projects that spans go to, with what every span of one needs: its id and the refs of its ops, as bytes. */

import { refText } from '../../contract/ref.js'
import { hashBytes } from '../../domain/calls/hash.js'
import { spanOpName } from '../../domain/refs/op-name.js'
import { SPAN_OP_DIGEST } from '../../domain/refs/placeholder-op.js'
import { viewOf } from '../../platform/bytes/bytes.js'
import { isProjectName, projectIdOf } from '../../platform/ids/project.js'
import { utf8At } from '../../platform/json/text.js'
import { Lru } from '../../platform/lru/lru.js'

/** An op that calls point at; an object of this name has to be there: see `domain/refs/placeholder-op.ts` for its value. */
export interface SpanOp {
  /** `entity/project`, and its internal id. */
  readonly project: string
  readonly projectId: string
  readonly name: string
}

/** The ops met in the batch at hand. */
interface Met {
  batch: number
  ops: SpanOp[]
}

interface Op {
  readonly spanName: Buffer
  readonly ref: DataView
  readonly op: SpanOp
  /** The batch that it was met in last. */
  batch: number
}

const MAX_PROJECTS = 10_000
const MAX_OPS = 4096
const MAX_CACHED_NAME = 1024

export class Project {
  readonly id: Buffer
  readonly idView: DataView
  readonly name: string
  readonly #ops = new Map<number, Op>()
  readonly #met: Met

  constructor(name: string, met: Met) {
    this.name = name
    this.id = Buffer.from(projectIdOf(name))
    this.idView = viewOf(this.id)
    this.#met = met
  }

  /** The op ref for the span name `buf[from, to)`. */
  opRef(buf: Buffer, from: number, to: number): DataView {
    const hash = hashBytes(0, buf, from, to)
    let op = this.#ops.get(hash)
    if (op === undefined || !isSame(op.spanName, buf, from, to)) op = this.#add(hash, buf, from, to)
    const met = this.#met
    if (op.batch !== met.batch) {
      op.batch = met.batch
      met.ops.push(op.op)
    }
    return op.ref
  }

  #add(hash: number, buf: Buffer, from: number, to: number): Op {
    const name = spanOpName(utf8At(buf, from, to))
    const ref = refText({ project: this.name, kind: 'op', name, digest: SPAN_OP_DIGEST, steps: [] })
    const op: Op = {
      spanName: Buffer.from(buf.subarray(from, to)),
      ref: viewOf(Buffer.from(ref)),
      op: { project: this.name, projectId: this.id.toString(), name },
      batch: -1,
    }
    if (this.#ops.size >= MAX_OPS) this.#ops.clear()
    if (to - from <= MAX_CACHED_NAME) this.#ops.set(hash, op)
    return op
  }
}

export class Projects {
  readonly #projects = new Lru<Project>(MAX_PROJECTS)
  readonly #met: Met = { batch: 0, ops: [] }

  /** The project `name`, or undefined if that is no `entity/project`. */
  get(name: string): Project | undefined {
    let project = this.#projects.get(name)
    if (project === undefined && isProjectName(name)) {
      project = new Project(name, this.#met)
      this.#projects.set(name, project)
    }
    return project
  }

  /** From here on ops are collected anew. */
  beginBatch(): void {
    this.#met.batch++
    this.#met.ops = []
  }

  /** The ops met since `beginBatch`, each at least once. */
  endBatch(): SpanOp[] {
    return this.#met.ops
  }
}

function isSame(bytes: Buffer, buf: Buffer, from: number, to: number): boolean {
  if (bytes.length !== to - from) return false
  for (let i = 0; i < bytes.length; i++) if (bytes[i] !== buf[from + i]) return false
  return true
}
