/**
 * Files that hold the bodies of INSERTs until the engine has read them: on tmpfs while it has room, else in
 * the data folder. Files are used again, since fresh pages cost more than copying into old ones. They have
 * no name where the system can open a descriptor by path, so that a killed process leaves nothing behind.
 */
import { randomBytes } from 'node:crypto'
import {
  closeSync,
  constants,
  ftruncateSync,
  mkdirSync,
  openSync,
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
const isNameless = process.platform === 'linux'
const tmpfsMagic = 0x01021994

export class TempFile {
  /** Where this process can open it. */
  path: string
  size = 0
  #fd: number
  #moved = false

  constructor(
    private readonly tempFiles: TempFiles,
    readonly onTmpfs: boolean,
  ) {
    const opened = openNew(onTmpfs ? tempFiles.tmpfsFolder! : tempFiles.diskFolder)
    this.path = opened.path
    this.#fd = opened.fd
  }

  /** Appends. Moves to the data folder by itself when tmpfs is full. */
  write(bytes: Uint8Array): void {
    let written = 0
    while (written < bytes.length) {
      try {
        const count = writeSync(this.#fd, bytes, written, bytes.length - written, this.size)
        written += count
        this.size += count
        this.tempFiles.hold(count)
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
    this.tempFiles.hold(-this.size)
    this.tempFiles.takeBack(this)
  }

  /** Makes the file ready for another body. */
  rewind(): void {
    if (this.size > blockBytes) ftruncateSync(this.#fd, blockBytes)
    this.size = 0
  }

  remove(): void {
    closeSync(this.#fd)
    if (!isNameless) rmSync(this.path, { force: true })
  }

  #moveToDisk(): boolean {
    if (this.#moved || !this.onTmpfs) return false
    const { fd, path } = openNew(this.tempFiles.diskFolder)
    const buffer = Buffer.allocUnsafe(1 << 20)
    for (let at = 0; at < this.size; ) {
      const count = readSync(this.#fd, buffer, 0, Math.min(buffer.length, this.size - at), at)
      writeSync(fd, buffer, 0, count, at)
      at += count
    }
    this.remove()
    this.#fd = fd
    this.path = path
    this.#moved = true
    return true
  }

  /** It has left tmpfs, which was full. */
  get moved(): boolean {
    return this.#moved
  }
}

export class TempFiles {
  readonly diskFolder: string
  readonly tmpfsFolder: string | undefined
  /** Bytes of bodies that are in no file yet. */
  inMemory = 0
  #free: TempFile[] = []
  #held = 0
  #idle: NodeJS.Timeout | undefined

  /**
   * Only the owner of the data folder may make one: it clears what an earlier owner has left there.
   * @param tmpfs folder to try first; used where it is a tmpfs, or `force` says so.
   */
  constructor(dataDir: string, tmpfs: string, force: boolean) {
    this.diskFolder = join(dataDir, 'spool')
    rmSync(this.diskFolder, { recursive: true, force: true })
    mkdirSync(this.diskFolder, { recursive: true, mode: 0o700 })
    if (force) mkdirSync(tmpfs, { recursive: true, mode: 0o700 })
    this.tmpfsFolder = force || (isNameless && isTmpfs(tmpfs)) ? tmpfs : undefined
  }

  /** A file for one body. */
  take(): TempFile {
    const onTmpfs = this.tmpfsFolder !== undefined && hasRoom(this.tmpfsFolder)
    const reusable = this.#free.findIndex((file) => file.onTmpfs === onTmpfs)
    if (reusable >= 0) return this.#free.splice(reusable, 1)[0]!
    return new TempFile(this, onTmpfs)
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
  takeBack(file: TempFile): void {
    if (file.moved || this.#free.length >= keptFiles) {
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
    rmSync(this.diskFolder, { recursive: true, force: true })
  }

  #drop(): void {
    for (const file of this.#free.splice(0)) file.remove()
  }
}

function openNew(folder: string): { fd: number; path: string } {
  const path = join(folder, `clickhouse-embedded-${randomBytes(8).toString('hex')}`)
  const fd = openSync(path, constants.O_RDWR | constants.O_CREAT | constants.O_EXCL, 0o600)
  if (!isNameless) return { fd, path }
  rmSync(path)
  return { fd, path: `/proc/self/fd/${fd}` }
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
