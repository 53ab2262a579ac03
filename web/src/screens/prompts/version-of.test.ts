import { expect, it } from 'vitest'
import { versionOf } from './version-of'

const versions = [
  { version_index: 0, digest: 'aaaaaaaaaaaa', aliases: ['production'] },
  { version_index: 1, digest: 'bbbbbbbbbbbb', aliases: ['latest'] },
]
const indexOf = (name: string) => versionOf(name, versions)?.version_index

it('versions are named by index, by number, by digest and by alias', () => {
  expect(['v0', 'v1', '1', '2'].map(indexOf)).toEqual([0, 1, 0, 1])
  expect(['bbbbbbbb', 'bbbbbbbbbbbb', 'production'].map(indexOf)).toEqual([1, 1, 0])
  expect(['v2', '0', '3', 'bbb', 'staging', '', '2.1'].map(indexOf)).toEqual(Array(7).fill(undefined))
})
