/**
 * Files that hold the bodies of INSERTs until the engine has read them: on tmpfs while it has room, else in
 * the data folder. Files are used again, since fresh pages cost more than copying into old ones.
 */
import { randomBytes } from 'node:crypto'
import {
  closeSync,
  constants,
  ftruncateSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  rmSync,
  statfsSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { failure } from './engine/failure.js'

/** A block is what one group commit gathers; tmpfs must hold four before it is used. */
const blockBytes = 64 * 1024 * 1024
const blocksFree = 4
const keptFiles = 3
/** All bodies on their way together. */
const maxHeld = 512 * 1024 * 1024
/** Free files go when there has been no insert for so long. */
const idleMs = 30_000
const tmpfsMagic = 0x01021994

export class SpoolFile {
  path: string
  size = 0
  #fd: number

  constructor(
    private readonly spool: Spool,
    folder: string,
    readonly onTmpfs: boolean,
  ) {
    this.path = join(folder, randomBytes(8).toString('hex'))
    this.#fd = openNew(this.path)
  }

  /** Appends. Moves to the data folder by itself when tmpfs is full. */
  write(bytes: Uint8Array): void {
    let written = 0
    while (written < bytes.length) {
      try {
        const count = writeSync(this.#fd, bytes, written, bytes.length - written, this.size)
        written += count
        this.size += count
        this.spool.hold(count)
      } catch (error) {
        if (!isNoSpace(error) || !this.#moveToDisk()) throw error
      }
    }
  }

  /** Cuts what an earlier body has left behind this one. */
  finish(): void {
    ftruncateSync(this.#fd, this.size)
  }

  /** Gives the file back, whatever has become of its body. */
  release(): void {
    this.spool.hold(-this.size)
    this.spool.takeBack(this)
  }

  /** Makes the file ready for another body. */
  rewind(): void {
    if (this.size > blockBytes) ftruncateSync(this.#fd, blockBytes)
    this.size = 0
  }

  remove(): void {
    closeSync(this.#fd)
    rmSync(this.path, { force: true })
  }

  #moveToDisk(): boolean {
    const folder = this.spool.diskFolder
    if (this.path.startsWith(folder)) return false
    const path = join(folder, randomBytes(8).toString('hex'))
    const fd = openNew(path)
    const buffer = Buffer.allocUnsafe(1 << 20)
    for (let at = 0; at < this.size; ) {
      const count = readSync(this.#fd, buffer, 0, Math.min(buffer.length, this.size - at), at)
      writeSync(fd, buffer, 0, count, at)
      at += count
    }
    this.remove()
    this.#fd = fd
    this.path = path
    return true
  }
}

export class Spool {
  readonly diskFolder: string
  readonly #tmpfsFolder: string | undefined
  #free: SpoolFile[] = []
  #held = 0
  #idle: NodeJS.Timeout | undefined

  /**
   * Removes what a killed process has left behind; so only the owner of the data folder may make one.
   * @param tmpfs folder to try first; used where it is a tmpfs or `force` says so.
   * @param key tells this data folder's files from others'.
   */
  constructor(dataDir: string, tmpfs: string, key: string, force: boolean) {
    this.diskFolder = join(dataDir, 'spool')
    rmSync(this.diskFolder, { recursive: true, force: true })
    mkdirSync(this.diskFolder, { recursive: true, mode: 0o700 })
    this.#tmpfsFolder = force || isTmpfs(tmpfs) ? makeOwn(tmpfs, `clickhouse-embedded-${key}`) : undefined
  }

  /** A file for one body. */
  take(): SpoolFile {
    const onTmpfs = this.#tmpfsFolder !== undefined && hasRoom(this.#tmpfsFolder)
    const reusable = this.#free.findIndex((file) => file.onTmpfs === onTmpfs)
    if (reusable >= 0) return this.#free.splice(reusable, 1)[0]!
    return new SpoolFile(this, onTmpfs ? this.#tmpfsFolder! : this.diskFolder, onTmpfs)
  }

  /**
   * Counts bytes in and out.
   * @throws QueryFailure 202 where all bodies together hold too much.
   */
  hold(bytes: number): void {
    this.#held += bytes
    if (bytes > 0 && this.#held > maxHeld) {
      throw failure(202, 'TOO_MANY_SIMULTANEOUS_QUERIES', 'Too many inserts are on their way')
    }
  }

  /** Called by a file that is given back. */
  takeBack(file: SpoolFile): void {
    const moved = file.onTmpfs && file.path.startsWith(this.diskFolder)
    if (moved || this.#free.length >= keptFiles) {
      file.remove()
      return
    }
    file.rewind()
    this.#free.push(file)
    clearTimeout(this.#idle)
    this.#idle = setTimeout(() => this.#drop(), idleMs).unref()
  }

  /** Removes all files. */
  close(): void {
    clearTimeout(this.#idle)
    this.#drop()
    if (this.#tmpfsFolder) rmSync(this.#tmpfsFolder, { recursive: true, force: true })
    rmSync(this.diskFolder, { recursive: true, force: true })
  }

  #drop(): void {
    for (const file of this.#free.splice(0)) file.remove()
  }
}

function openNew(path: string): number {
  return openSync(path, constants.O_RDWR | constants.O_CREAT | constants.O_EXCL, 0o600)
}

function isNoSpace(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOSPC'
}

function isTmpfs(folder: string): boolean {
  try {
    return statfsSync(folder).type === tmpfsMagic
  } catch {
    return false
  }
}

function hasRoom(folder: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(folder)
    return bavail * bsize >= blocksFree * blockBytes
  } catch {
    return false
  }
}

/** Makes a private folder of this name plus chance, after removing older ones that are this user's. */
function makeOwn(parent: string, name: string): string | undefined {
  try {
    for (const entry of readdirSync(parent)) {
      const path = join(parent, entry)
      if (entry.startsWith(`${name}-`) && lstatSync(path).uid === process.getuid?.()) {
        rmSync(path, { recursive: true, force: true })
      }
    }
    const folder = join(parent, `${name}-${randomBytes(8).toString('hex')}`)
    mkdirSync(folder, { mode: 0o700 })
    return folder
  } catch {
    return undefined
  }
}
