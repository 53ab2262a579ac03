/** The projects that spans go to, with what every span of one needs: its id and the refs of its ops, as bytes. */
import { hashBytes } from '../../common/calls/hash.js'
import { isProjectName, projectIdOf } from '../../common/ids/project.js'
import { utf8At } from '../../common/json/text.js'
import { opNameOf, opRef } from './names.js'
import { PLACEHOLDER_DIGEST } from './placeholder-op.js'

/** An op object that a call points at and that has to be there: see `placeholder-op.ts` for its value. */
export interface NewOp {
  readonly project: string
  readonly name: string
}

interface Op {
  readonly spanName: Buffer
  readonly ref: Buffer
}

const MAX_PROJECTS = 10_000
const MAX_OPS = 4096

export class Project {
  readonly id: Buffer
  readonly name: string
  readonly #ops = new Map<number, Op>()
  /** Names told as new, so that each is told once. */
  readonly #told = new Set<string>()

  constructor(name: string) {
    this.name = name
    this.id = Buffer.from(projectIdOf(name))
  }

  /** The op ref for the span name `buf[from, to)`; a new op is added to `news`. */
  opRef(buf: Buffer, from: number, to: number, news: NewOp[]): Buffer {
    const hash = hashBytes(0, buf, from, to)
    const known = this.#ops.get(hash)
    if (known !== undefined && isSame(known.spanName, buf, from, to)) return known.ref
    const name = opNameOf(utf8At(buf, from, to))
    if (!this.#told.has(name)) {
      if (this.#told.size >= MAX_OPS) this.#told.clear()
      this.#told.add(name)
      news.push({ project: this.name, name })
    }
    const op: Op = {
      spanName: Buffer.from(buf.subarray(from, to)),
      ref: Buffer.from(opRef(this.name, name, PLACEHOLDER_DIGEST)),
    }
    if (this.#ops.size >= MAX_OPS) this.#ops.clear()
    if (to - from <= 1024) this.#ops.set(hash, op)
    return op.ref
  }

  /** Tells every op once more. */
  forgetOps(): void {
    this.#ops.clear()
    this.#told.clear()
  }
}

export class Projects {
  readonly #projects = new Map<string, Project>()

  /** The project `name`, or undefined if that is no `entity/project`. */
  get(name: string): Project | undefined {
    let project = this.#projects.get(name)
    if (project === undefined && isProjectName(name)) {
      project = new Project(name)
      if (this.#projects.size >= MAX_PROJECTS) this.#projects.clear()
      this.#projects.set(name, project)
    }
    return project
  }

  /** Every op is new again: for when telling the store of them failed. */
  forgetOps(): void {
    for (const project of this.#projects.values()) project.forgetOps()
  }
}

function isSame(bytes: Buffer, buf: Buffer, from: number, to: number): boolean {
  if (bytes.length !== to - from) return false
  for (let i = 0; i < bytes.length; i++) if (bytes[i] !== buf[from + i]) return false
  return true
}
