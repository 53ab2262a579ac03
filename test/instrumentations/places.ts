/** Where the packages of the programs are, and which versions are pinned there. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../support/root.js'

/** `js`, `quick`, `langfuse-…`: what `make clients` installs; others: a list, or a folder of npm, Go or Maven, of `requirements/`. */
export type Place = string

const PINNED = 'test/clients'

/** The place as `runText` has it. */
export const placeOf = (place: Place) =>
  ({ js: 'js-frameworks', quick: '.venv/instrumentations' })[place] ??
  (isClients(place) ? `.venv/${place}` : `.cache/instrumentations/${place}`)

/** Whether `make clients` installs it, for an environment of its own. */
const isClients = (place: Place) => existsSync(join(root, PINNED, 'python', `${place}-requirements.txt`))

/** A package with the version that is pinned at a place; one that npm has by another name, by its own. */
export function pinnedOf(place: Place, name: string): string {
  const version = versionOf(place, name)
  return version.startsWith('npm:') ? version.slice(4).replace(/@(?=[^@]*$)/, ' ') : `${name} ${version}`
}

function versionOf(place: Place, name: string): string {
  const read = (file: string) => readFileSync(join(root, file), 'utf8')
  if (place === 'go') {
    const pinned = read('test/instrumentations/requirements/go/go.mod').split(/\s+/)
    return pinned[pinned.indexOf(name) + 1]!.slice(1)
  }
  const pom = `test/instrumentations/requirements/${place}/pom.xml`
  if (existsSync(join(root, pom))) {
    const [, version] = new RegExp(`<${name}\\.version>(.*)</`).exec(read(pom)) ?? []
    if (version !== undefined) return version
  }
  const ofNpm = place === 'js' ? `${PINNED}/js-frameworks` : `test/instrumentations/requirements/${place}`
  if (existsSync(join(root, ofNpm, 'package.json'))) {
    const { dependencies } = JSON.parse(read(`${ofNpm}/package.json`)) as {
      dependencies: Record<string, string>
    }
    if (dependencies[name]) return dependencies[name]
  }
  const lists =
    place === 'quick'
      ? [`${PINNED}/python/instrumentations-requirements.txt`, `${PINNED}/python/requirements.txt`]
      : isClients(place)
        ? [`${PINNED}/python/${place}-requirements.txt`]
        : [`test/instrumentations/requirements/${place}.txt`]
  for (const list of lists) {
    const line = read(list)
      .split('\n')
      .find((text) => text.startsWith(`${name}==`))
    if (line !== undefined) return line.slice(name.length + 2)
  }
  throw new Error(`${name} is not pinned for ${place}`)
}
