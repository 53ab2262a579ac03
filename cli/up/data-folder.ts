/** The data folder: the paths and permissions of its files. */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { writePrivate } from '../../platform/files/write-private.js'
import { CommandError } from '../command.js'

/** The address of the running engine, for other commands on this machine. */
export interface EngineAddress {
  url: string
  username: string
  password: string
}

/** Minimum free space for a start. */
const ROOM_BYTES = 1 << 20

/** Why writing fails, and what helps. */
const IN_THE_WAY: Record<string, string> = {
  ENOSPC: 'is full: free some space',
  EDQUOT: 'is full: free some space',
  EROFS: 'is on a read-only file system: mount it for writing',
  // Node.js reports this for a folder inside a file.
  ENOENT: "can't be created, perhaps on a read-only file system: mount it for writing",
  EACCES: 'is not writable by this user: change its owner or mode',
  EPERM: 'is not writable by this user: change its owner or mode',
  ENOTDIR: 'is not a folder: move the file away',
  EEXIST: 'is not a folder: move the file away',
}

export class DataFolder {
  readonly path: string

  /**
   * @param path created if missing
   * @throws CommandError that names it and says what to do
   */
  constructor(path: string) {
    this.path = resolve(path)
    this.named(() => mkdirSync(this.path, { recursive: true }))
  }

  /** The folder at `path`, if there is one: commands that only look into it don't make one. */
  static existing(path: string): DataFolder | undefined {
    return existsSync(path) ? new DataFolder(path) : undefined
  }

  /** Checks that the folder is writable. @throws CommandError that names it and what helps */
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

  /** The folder of artifacts. */
  get artifacts(): string {
    return join(this.path, 'artifacts')
  }

  /** The folder for results that slow clients have not read. */
  get overflow(): string {
    return join(this.path, 'overflow')
  }

  /** The folder for files that are about to be exported. */
  get exporting(): string {
    return join(this.path, 'exporting')
  }

  /** The folder for results of SQL that are made anew in another format. */
  get converting(): string {
    return join(this.path, 'converting')
  }

  get devKeyFile(): string {
    return join(this.path, 'dev-api-key')
  }

  readDevKey(): string | undefined {
    return this.read('dev-api-key')?.trim() || undefined
  }

  writeDevKey(key: string): void {
    writePrivate(join(this.path, 'dev-api-key'), `${key}\n`)
  }

  readEngineAddress(): EngineAddress | undefined {
    try {
      return JSON.parse(this.read('engine.json') ?? '') as EngineAddress
    } catch {
      return undefined
    }
  }

  writeEngineAddress(address: EngineAddress): void {
    writePrivate(join(this.path, 'engine.json'), `${JSON.stringify(address)}\n`)
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
}
