/** Opens the artifact store that the configuration names. */
import type { Artifacts } from './artifacts.js'
import { FolderArtifacts } from './folder.js'
import { LazyArtifacts } from './lazy.js'
import type { S3Options } from './s3.js'

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
