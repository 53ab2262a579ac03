/** The data folder: which file in it is what, and who may read it. Knows nothing of what the files mean. */
import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { CommandError } from '../command.js'

/** Where the engine that `heddle up` runs can be reached by other commands on this machine. */
export interface EngineAddress {
  url: string
  username: string
  password: string
}

/** A start needs a little more than nothing. */
const ROOM_BYTES = 1 << 20

/** What stands in the way of writing, and what helps. */
const IN_THE_WAY: Record<string, string> = {
  ENOSPC: 'is full: free some space',
  EDQUOT: 'is full: free some space',
  EROFS: 'is on a read-only file system: mount it for writing',
  // So says Node.js of a folder that it is to make there.
  ENOENT: "can't be created, perhaps on a read-only file system: mount it for writing",
  EACCES: 'is not writable by this user: change its owner or mode',
  EPERM: 'is not writable by this user: change its owner or mode',
  ENOTDIR: 'is not a folder: move the file away',
  EEXIST: 'is not a folder: move the file away',
}

export class DataFolder {
  readonly path: string

  /**
   * @param path made if it is not there
   * @throws CommandError that names it and says what to do
   */
  constructor(path: string) {
    this.path = resolve(path)
    this.named(() => mkdirSync(this.path, { recursive: true }))
  }

  /** For who is going to write a lot. @throws CommandError that names it, where nothing can be written */
  checkWritable(): void {
    const probe = join(this.path, `.room.${process.pid}`)
    this.named(() => {
      try {
        writeFileSync(probe, Buffer.alloc(ROOM_BYTES), { flush: true })
      } finally {
        rmSync(probe, { force: true })
      }
    })
  }

  private named(work: () => void): void {
    try {
      work()
    } catch (error) {
      const why = IN_THE_WAY[(error as NodeJS.ErrnoException).code ?? '']
      if (why === undefined) throw error
      throw new CommandError(`the data folder ${this.path} ${why}, or set HEDDLE_DATA_DIR to another folder`)
    }
  }

  /** The embedded engine's own folder. */
  get engine(): string {
    return join(this.path, 'clickhouse')
  }

  /** Where large files lie. */
  get artifacts(): string {
    return join(this.path, 'artifacts')
  }

  /** Where results wait for slow readers. */
  get overflow(): string {
    return join(this.path, 'overflow')
  }

  get devKeyFile(): string {
    return join(this.path, 'dev-api-key')
  }

  readDevKey(): string | undefined {
    return this.read('dev-api-key')?.trim() || undefined
  }

  writeDevKey(key: string): void {
    this.write('dev-api-key', `${key}\n`)
  }

  readEngineAddress(): EngineAddress | undefined {
    try {
      return JSON.parse(this.read('engine.json') ?? '') as EngineAddress
    } catch {
      return undefined
    }
  }

  writeEngineAddress(address: EngineAddress): void {
    this.write('engine.json', `${JSON.stringify(address)}\n`)
  }

  forgetEngineAddress(): void {
    rmSync(join(this.path, 'engine.json'), { force: true })
  }

  private read(name: string): string | undefined {
    try {
      return readFileSync(join(this.path, name), 'utf8')
    } catch {
      return undefined
    }
  }

  /** Whole or not at all, for this user's eyes only. */
  private write(name: string, content: string): void {
    const temporary = join(this.path, `.${name}.${process.pid}`)
    writeFileSync(temporary, content, { mode: 0o600 })
    chmodSync(temporary, 0o600)
    renameSync(temporary, join(this.path, name))
  }
}
