/**
 * A file system on a disk with a volatile cache that this test can cut off: FUSE serves the disk, a loop device makes a
 * block device of it, and ext4 or XFS lie on that. Needs Linux, root, a C compiler and libfuse3's headers.
 */
import { type ChildProcessByStdio, execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable, Writable } from 'node:stream'
import { root } from './root.js'
import { until } from './until.js'

export type FileSystem = 'ext4' | 'xfs'

const MAKE: Record<FileSystem, readonly string[]> = { ext4: ['-q', '-F'], xfs: ['-q', '-f'] }

type Served = ChildProcessByStdio<Writable, Readable, null>

export class VolatileDisk {
  private device = ''
  private answers: ((line: string) => void)[] = []

  private constructor(
    private readonly folder: string,
    private readonly process: Served,
    private readonly fileSystem: FileSystem,
  ) {
    createInterface({ input: process.stdout }).on('line', (line) => this.answers.shift()?.(line))
  }

  /** Why there can be none here; undefined: there can. */
  static missing(fileSystem: FileSystem = 'ext4'): string | undefined {
    if (process.getuid?.() !== 0) return 'it needs root'
    if (!existsSync('/dev/fuse') || !existsSync('/dev/loop-control'))
      return 'it needs /dev/fuse and loop devices'
    for (const command of ['cc', 'pkg-config', 'losetup', `mkfs.${fileSystem}`])
      if (!succeeds('which', command)) return `it needs ${command}`
    return succeeds('pkg-config', 'fuse3') ? undefined : "it needs libfuse3's headers (libfuse3-dev)"
  }

  /** Makes one with an empty file system, and mounts that. */
  static async make(fileSystem: FileSystem = 'ext4', mib = 3000): Promise<VolatileDisk> {
    const folder = mkdtempSync(join(tmpdir(), 'heddle-disk-'))
    const image = join(folder, 'image')
    writeFileSync(image, '')
    truncateSync(image, mib * 2 ** 20)
    for (const name of ['fuse', 'files']) mkdirSync(join(folder, name))
    const binary = join(folder, 'volatile-disk')
    const flags = run('pkg-config', 'fuse3', '--cflags', '--libs').split(/\s+/)
    run('cc', '-O2', '-o', binary, join(root, 'test/crash/volatile-disk.c'), ...flags, '-lpthread')
    const child = spawn(binary, [join(folder, 'fuse'), image], { stdio: ['pipe', 'pipe', 'inherit'] })
    const disk = new VolatileDisk(folder, child, fileSystem)
    await until('the disk to be there', () => existsSync(disk.file))
    disk.attach()
    run(`mkfs.${fileSystem}`, ...MAKE[fileSystem], disk.device)
    disk.mount()
    return disk
  }

  /** The root of its file system. */
  get files(): string {
    return join(this.folder, 'files')
  }

  /**
   * The power fails, and nothing that reads or writes here goes on. Nobody may have a file open when it is back.
   * @param percent of what was written since the last flush that stays
   * @returns what was lost
   */
  cut(seed: number, percent: number): Promise<string> {
    return this.tell(`cut ${seed} ${percent}`)
  }

  /** The power is back: the file system recovers by its own journal. */
  async revive(): Promise<void> {
    await until('the file system to be left', () => succeeds('umount', this.files))
    run('losetup', '-d', this.device)
    await this.tell('revive')
    this.attach()
    this.mount()
  }

  /** The next `count` operations of the disk fail with EIO. */
  async fail(operation: 'read' | 'write' | 'flush', count: number): Promise<void> {
    await this.tell(`fail ${operation} ${count}`)
  }

  /** Unmounts and removes it. */
  async dispose(): Promise<void> {
    await this.tell('revive')
    succeeds('umount', '-l', this.files)
    succeeds('losetup', '-d', this.device)
    await until('the disk to be free', () => succeeds('umount', join(this.folder, 'fuse')))
    this.process.stdin.end()
    rmSync(this.folder, { recursive: true, force: true })
  }

  private get file(): string {
    return join(this.folder, 'fuse/disk')
  }

  private attach(): void {
    this.device = run('losetup', '-f', '--show', '--direct-io=on', this.file)
  }

  private mount(): void {
    run('mount', '-t', this.fileSystem, this.device, this.files)
  }

  private tell(command: string): Promise<string> {
    return new Promise((resolve) => {
      this.answers.push(resolve)
      this.process.stdin.write(`${command}\n`)
    })
  }
}

function run(command: string, ...args: string[]): string {
  return execFileSync(command, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim()
}

function succeeds(command: string, ...args: string[]): boolean {
  try {
    run(command, ...args)
    return true
  } catch {
    return false
  }
}
