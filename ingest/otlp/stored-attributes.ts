/**
 * The column attributes of a span's call: what was recognised, beside it what no convention owns, and what the user set
 * as the call's over both; or all of the span's attributes if nothing was recognised. Knows no other column.
 */
import type { CallBlock } from '../../domain/calls/block.js'
import { indexJson, indexJsonAt, rootHash } from '../../domain/calls/json-leaves.js'
import { addLeaf, leafHashAt } from '../../domain/calls/leaves.js'
import { ATTRIBUTES, FIELDS, OPERATION_KINDS } from '../../domain/conventions/table.js'
import { JsonError } from '../../platform/json/error.js'
import { rawFields } from '../../platform/json/fields.js'
import { objectText } from '../../platform/json/members.js'
import { ownOf } from '../../platform/json/object.js'
import { hashBelow, SPAN_KEY } from './attribute-keys.js'
import type { AttributeLookup, Found } from './attribute-lookup.js'
import { BadSpan } from './bad.js'
import { treeJson } from './tree.js'

const TARGETS = Object.entries(ATTRIBUTES)

/** What of the attributes other columns need, as JSON. */
export interface Recognised {
  readonly model: string | undefined
  /** the id that the provider gave its answer */
  readonly answer: string | undefined
}

/**
 * Appends the value of the column and its leaves.
 * @param isKnown something of the span went elsewhere
 * @throws BadSpan if it is nested too deep to be read
 */
export function writeAttributes(block: CallBlock, lookup: AttributeLookup, isKnown: boolean): Recognised {
  const { root, own } = lookup.keys
  const facts = factsOf(lookup)
  const merged = lookup.find(FIELDS.merged)
  if (merged?.json.startsWith('{')) {
    const set = fieldsOf(merged.json)
    const said = [...facts].map(([name, { json }]) => [name, json] as const)
    writeFields(block, [
      ...said,
      ...(own === undefined ? [] : fieldsOf(treeJson(own, lookup.valueOf, true))),
      ...set,
    ])
  } else if (facts.size > 0 || isKnown) {
    const said = Array.from(facts, ([name, { json }]) => `${JSON.stringify(name)}:${json}`)
    if (own !== undefined) said.push(treeJson(own, lookup.valueOf, true).slice(1, -1))
    writeText(block, `{${said.join(',')}}`)
    for (const [name, fact] of facts) addFact(block, lookup, name, fact)
    if (own !== undefined) lookup.addLeaves(block.leaves, own, rootHash.attributes, true)
  } else if (root.children!.has(SPAN_KEY)) writeFields(block, fieldsOf(treeJson(root, lookup.valueOf, true)))
  else {
    writeText(block, treeJson(root, lookup.valueOf, true))
    lookup.addLeaves(block.leaves, root, rootHash.attributes, true)
  }
  return { model: facts.get('model')?.json, answer: facts.get('response_id')?.json }
}

/** A value that was recognised. Without `found` it was made of one, and is its only leaf. */
interface Fact {
  readonly json: string
  readonly found: Found | undefined
}

/** What was recognised, by its name in the column. */
function factsOf(lookup: AttributeLookup): Map<string, Fact> {
  const facts = new Map<string, Fact>()
  for (const [name, target] of TARGETS) {
    const found = lookup.find(target)
    if (found === undefined) continue
    if (!found.place.reading.operation) facts.set(name, { json: found.json, found })
    else {
      const kind = kindOf(found.json)
      if (kind !== undefined) facts.set(name, { json: `"${kind}"`, found: undefined })
    }
  }
  return facts
}

/** The kind of an operation: of its name up to a space. */
function kindOf(json: string): string | undefined {
  return json.startsWith('"') ? ownOf(OPERATION_KINDS, json.slice(1, -1).split(' ', 1)[0]!) : undefined
}

function addFact({ leaves }: CallBlock, lookup: AttributeLookup, name: string, { json, found }: Fact): void {
  const path = hashBelow(rootHash.attributes, name)
  if (found?.place.rest.length === 0) lookup.addLeaves(leaves, found.place.node, path)
  else {
    const bytes = Buffer.from(json)
    if (found !== undefined) indexJsonAt(leaves, path, bytes, 0, bytes.length)
    else addLeaf(leaves, leafHashAt(path, bytes, 1, bytes.length - 1))
  }
}

/** Appends these fields, the last of equal names each in the place of the first, and their leaves. */
function writeFields(block: CallBlock, all: Iterable<readonly [string, string]>): void {
  const fields = new Map(all)
  fields.delete(SPAN_KEY)
  writeText(block, objectText(fields))
  const { attributes, leaves } = block
  indexJson(leaves, 'attributes', attributes.buf, attributes.pos - attributes.lastLength, attributes.pos)
}

function writeText({ attributes }: CallBlock, json: string): void {
  attributes.open()
  attributes.utf8(json)
  attributes.close()
}

/** The fields of a JSON object. Values may be as deep as JSON may be; with the keys above them they are deeper. */
function fieldsOf(json: string): [name: string, json: string][] {
  const bytes = Buffer.from(json)
  try {
    const fields = [...rawFields(bytes, Number.POSITIVE_INFINITY)!]
    return fields.map(([name, { from, to }]) => [name, bytes.toString('utf8', from, to)])
  } catch (error) {
    if (error instanceof JsonError) throw new BadSpan(`in its attributes ${error.message}`)
    throw error
  }
}
