/** Where the packages of the programs are, and which versions are pinned there. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../support/root.js'

/** `js`, `quick`: what `make clients` installs; others: a list, or a folder of npm or Go, of `requirements/`. */
export type Place = string

const PINNED = 'test/clients'

/** The place as `runText` has it. */
export const placeOf = (place: Place) =>
  ({ js: 'js-frameworks', quick: '.venv/instrumentations' })[place] ?? `.cache/instrumentations/${place}`

/** The version of a package that is pinned at a place. */
export function versionOf(place: Place, name: string): string {
  const read = (file: string) => readFileSync(join(root, file), 'utf8')
  if (place === 'go') {
    const pinned = read('test/instrumentations/requirements/go/go.mod').split(/\s+/)
    return pinned[pinned.indexOf(name) + 1]!.slice(1)
  }
  const ofNpm = {
    js: `${PINNED}/js-frameworks`,
    'command-line': 'test/instrumentations/requirements/command-line',
  }[place]
  if (ofNpm !== undefined) {
    const { dependencies } = JSON.parse(read(`${ofNpm}/package.json`)) as {
      dependencies: Record<string, string>
    }
    if (dependencies[name]) return dependencies[name]
  }
  const lists =
    place === 'quick'
      ? [`${PINNED}/python/instrumentations-requirements.txt`, `${PINNED}/python/requirements.txt`]
      : [`test/instrumentations/requirements/${place}.txt`]
  for (const list of lists) {
    const line = read(list)
      .split('\n')
      .find((text) => text.startsWith(`${name}==`))
    if (line !== undefined) return line.slice(name.length + 2)
  }
  throw new Error(`${name} is not pinned for ${place}`)
}
