/** Parses rows of data into trees in wire form, in which refs name projects. */

import type { ProjectRegister } from '../domain/projects/register.js'
import { refsToExternal } from '../domain/refs/refs.js'
import { type JsonTree, parseTree } from '../platform/json/tree.js'
import type { Row } from './trial.js'

const INTERNAL = /weave-trace-internal:\/\/\/([^/"\\]+)\//g

/** Parses one row per text. A value that is not an object has no columns. */
export async function rowsOf(register: ProjectRegister, texts: readonly string[]): Promise<Row[]> {
  const ids = texts.flatMap((text) => [...text.matchAll(INTERNAL)].map(([, id]) => id!))
  await register.learn(ids)
  return texts.map((text) =>
    asRow(refsToExternal(parseTree(text === '' ? '{}' : text), (id) => register.nameOf(id))),
  )
}

export function asRow(tree: JsonTree): Row {
  return tree instanceof Map ? tree : new Map()
}
