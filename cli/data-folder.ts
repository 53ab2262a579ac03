/** The data folder: which file in it is what, and who may read it. Knows nothing of what the files mean. */
import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

/** Where the engine that `heddle up` runs can be reached by other commands on this machine. */
export interface EngineAddress {
  url: string
  username: string
  password: string
}

export class DataFolder {
  readonly path: string

  /** @param path made if it is not there */
  constructor(path: string) {
    this.path = resolve(path)
    mkdirSync(this.path, { recursive: true })
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
