/** This program's version, as its package says it. */
import { readFileSync } from 'node:fs'

/** E.g. `0.1.0`. */
export function version(): string {
  // One folder up from the source, two from dist/cli.
  for (const up of ['../package.json', '../../package.json']) {
    try {
      return (JSON.parse(readFileSync(new URL(up, import.meta.url), 'utf8')) as { version: string }).version
    } catch {}
  }
  return 'unknown'
}
