/** Finds the version that a request names: by digest, `latest`, `v<index>` or alias. */
import type { LabelStore } from './labels.js'
import type { ObjectReader } from './reader.js'
import { looksLikeDigest, mayBeAlias, wantedBy } from './selection.js'
import type { Version } from './versions.js'

export class VersionFinder {
  constructor(
    private readonly reader: ObjectReader,
    private readonly labels: LabelStore,
  ) {}

  /** The version, deleted or not, or undefined if none has that name. */
  async find(project: string, object: string, name: string): Promise<Version | undefined> {
    if (!mayBeAlias(name)) return this.reader.version(wantedBy(name, project, object))
    // A name that looks like a digest mostly is one; any other is mostly an alias.
    if (!looksLikeDigest(name)) {
      const named = await this.byAlias(project, object, name)
      return named ?? this.reader.version(wantedBy(name, project, object))
    }
    const version = await this.reader.version(wantedBy(name, project, object))
    return version ?? this.byAlias(project, object, name)
  }

  /** Finds a version by alias. An alias set before its version's deletion is void. */
  private async byAlias(project: string, object: string, alias: string): Promise<Version | undefined> {
    const named = await this.labels.alias(project, object, alias)
    if (!named) return undefined
    const version = await this.reader.version({ project, object, by: 'digest', digest: named.digest })
    return version && version.deleted_ver < named.since ? version : undefined
  }
}
