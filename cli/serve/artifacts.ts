/** The configured artifact store, and its address for nodes. */
import { resolve } from 'node:path'
import type { Artifacts } from '../../platform/artifacts/artifacts.js'
import { openArtifacts, type S3Access } from '../../platform/artifacts/open.js'
import type { Config } from '../../platform/config/read.js'
import type { processes } from '../../platform/config/settings.js'

export type S3Config = Pick<
  Config<typeof processes.query>,
  's3Endpoint' | 's3Region' | 's3KeyId' | 's3Secret' | 's3Session'
>

/** @param address a folder, or s3://bucket/prefix */
export function artifactsAt(address: string, config: S3Config): Artifacts {
  return openArtifacts(address, s3AccessOf(config))
}

/** The endpoint and the keys of an S3-compatible store. */
export function s3AccessOf(config: S3Config): S3Access {
  return {
    endpoint: config.s3Endpoint,
    region: config.s3Region,
    accessKeyId: config.s3KeyId,
    secretAccessKey: config.s3Secret,
    sessionToken: config.s3Session,
  }
}

/** The store and its absolute address, for other machines and working directories. */
export function trainingStorage(address: string, config: S3Config): { artifacts: Artifacts; root: string } {
  return { artifacts: artifactsAt(address, config), root: wholeAddress(address) }
}

/** The absolute address: the engine and nodes may have another working directory. */
export function wholeAddress(address: string): string {
  return address.startsWith('s3:') ? address.replace(/\/+$/, '') : resolve(address)
}
