/** Opens the underlying store on first use, so that its dependencies are not loaded before. */
import type { Artifacts, ByteRange } from './artifacts.js'

export class LazyArtifacts implements Artifacts {
  private opened: Promise<Artifacts> | undefined

  constructor(private readonly open: () => Promise<Artifacts>) {}

  private get store(): Promise<Artifacts> {
    this.opened ??= this.open()
    return this.opened
  }

  async put(key: string, content: Uint8Array): Promise<void> {
    return (await this.store).put(key, content)
  }

  async write(key: string, content: AsyncIterable<Uint8Array>): Promise<void> {
    return (await this.store).write(key, content)
  }

  async *keys(prefix: string): AsyncGenerator<string> {
    yield* (await this.store).keys(prefix)
  }

  async get(
    key: string,
    range?: ByteRange,
    signal?: AbortSignal,
  ): Promise<AsyncIterable<Uint8Array> | undefined> {
    return (await this.store).get(key, range, signal)
  }

  async delete(key: string): Promise<void> {
    return (await this.store).delete(key)
  }
}
