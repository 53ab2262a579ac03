/** Removes secrets from a provider's answers, which may repeat the request. Pure. */
import { type JsonTree, mapStrings } from '../../platform/json/tree.js'

const HIDDEN = 'REDACTED'

/** `text` with all `secrets` removed. */
export function hideIn(text: string, secrets: readonly string[]): string {
  return secrets.reduce((left, secret) => (secret === '' ? left : left.replaceAll(secret, HIDDEN)), text)
}

/** `tree` with all `secrets` removed from its texts and keys. */
export function hideInTree(tree: JsonTree, secrets: readonly string[]): JsonTree {
  const hide = (text: string) => hideIn(text, secrets)
  return hideKeys(mapStrings(tree, hide), hide)
}

function hideKeys(tree: JsonTree, hide: (text: string) => string): JsonTree {
  if (Array.isArray(tree)) return tree.map((item) => hideKeys(item, hide))
  if (!(tree instanceof Map)) return tree
  return new Map([...tree].map(([key, value]) => [hide(key), hideKeys(value, hide)]))
}
