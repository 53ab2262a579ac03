/** Refs into the project that is imported, as refs into the one that it is imported into. */
import { projectPart } from '../../contract/ref.js'
import { type JsonTree, mapStrings } from '../../platform/json/tree.js'

/** What has a digest of its own, at the beginning of what follows the project in a ref. */
const DIGESTED = /^(?:(?:object|op)\/[^/]+:|table\/)([^/]+)/

export class MovedRefs {
  private readonly from: string
  private readonly to: string

  /** @param digests those that changed on the way, by what they were: a value with refs has another in another project */
  constructor(
    from: string,
    to: string,
    private readonly digests: Readonly<Record<string, string>> = {},
  ) {
    this.from = `weave:///${projectPart(from)}/`
    this.to = `weave:///${projectPart(to)}/`
  }

  /** The same value with every ref moved. */
  tree(value: JsonTree): JsonTree {
    return mapStrings(value, (text) => this.text(text))
  }

  /** One string: the moved ref if it is one into that project, else the string itself. */
  text(text: string): string {
    if (!text.startsWith(this.from)) return text
    const rest = text.slice(this.from.length)
    const [head = '', digest = ''] = DIGESTED.exec(rest) ?? []
    const now = this.digests[digest]
    if (now === undefined) return this.to + rest
    return this.to + head.slice(0, head.length - digest.length) + now + rest.slice(head.length)
  }
}
