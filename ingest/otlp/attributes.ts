/** The attributes of one message (a span, an event, a link, a resource, a log record), and their values as JSON. */
import { isCredentialKey } from '../../domain/calls/credential-keys.js'
import { JSON_TEXTS } from '../../domain/conventions/table.js'
import { utf8At } from '../../platform/json/text.js'
import { BadSpan } from './bad.js'
import { MAX_ATTRIBUTES } from './limits.js'
import { type TreeNode, treeJson } from './tree.js'
import { attributeJson, readPair, type Value } from './value.js'
import type { Wire } from './wire.js'

export class Attributes {
  readonly #keys: string[] = []
  readonly #values: Value[] = []
  #tooMany = false

  /** Reads the KeyValue message `[from, end)` as the next attribute. @throws BadMessage */
  add(wire: Wire, from: number, end: number): void {
    if (this.#keys.length === MAX_ATTRIBUTES) {
      this.#tooMany = true
      return
    }
    const { keyFrom, keyTo, value } = readPair(wire, from, end)
    this.#keys.push(utf8At(wire.buf, keyFrom, keyTo))
    this.#values.push(value)
  }

  /** Their keys, in order. @throws BadSpan if they are too many */
  get keys(): readonly string[] {
    if (this.#tooMany) throw new BadSpan(`there are more than ${MAX_ATTRIBUTES} attributes`)
    return this.#keys
  }

  /** The value of attribute `i` as JSON. @throws BadSpan if it is nested too deep */
  json(wire: Wire, i: number): string {
    const key = this.#keys[i]!
    const isJson = JSON_TEXTS.some((begin) => key.startsWith(begin))
    return attributeJson(wire, this.#values[i]!, isCredentialKey(key.slice(key.lastIndexOf('.') + 1)), isJson)
  }

  /** Those in a tree of their keys, as one JSON object. @throws BadSpan */
  nested(wire: Wire, tree: TreeNode): string {
    return treeJson(tree, ({ attribute }) => (attribute < 0 ? undefined : this.json(wire, attribute)), true)
  }

  /** Their values as JSON by their whole keys; of two with one key the last counts. @throws BadSpan */
  flat(wire: Wire): Map<string, string> {
    const numbers = new Map(this.keys.map((key, i) => [key, i]))
    return new Map([...numbers].map(([key, i]) => [key, this.json(wire, i)]))
  }
}
