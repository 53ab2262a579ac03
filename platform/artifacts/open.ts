import type { Artifacts, ByteRange } from './artifacts.js'
import { FolderArtifacts } from './folder.js'
import type { S3Options } from './s3.js'

/** Opens the underlying store on first use, so that its dependencies are not loaded before. */
class LazyArtifacts implements Artifacts {
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

/** Configuration of an S3-compatible store. */
export interface S3Access {
  /** default: AWS in that region */
  endpoint?: string | undefined
  region?: string | undefined
  /** if this and the secret are unset: the SDK's default chain */
  accessKeyId?: string | undefined
  secretAccessKey?: string | undefined
  sessionToken?: string | undefined
}

/**
 * @param address a folder, or `s3://bucket/prefix`
 * @throws Error that says what is missing
 */
export function openArtifacts(address: string, access: S3Access = {}): Artifacts {
  const match = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/([\w./-]*?))?\/?$/.exec(address)
  if (!match) {
    if (address.startsWith('s3:')) throw new Error('HEDDLE_ARTIFACTS must be a folder or s3://bucket/prefix')
    return new FolderArtifacts(address)
  }
  const { region = 'us-east-1', endpoint, accessKeyId, secretAccessKey, sessionToken } = access
  if ((accessKeyId === undefined) !== (secretAccessKey === undefined))
    throw new Error(
      'AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY go together: set both, or neither for a role',
    )
  const options: S3Options = {
    endpoint,
    bucket: match[1]!,
    prefix: match[2] ?? '',
    region,
    credentials:
      accessKeyId !== undefined && secretAccessKey !== undefined
        ? { accessKeyId, secretAccessKey, ...(sessionToken !== undefined && { sessionToken }) }
        : undefined,
  }
  // The SDK takes 0.13 s and 22 MB to load; folders don't need it.
  return new LazyArtifacts(async () => new (await import('./s3.js')).S3Artifacts(options))
}
