import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { objectDigest } from '../../../domain/refs/digest.js'
import { parseTree, treeValue } from '../../../platform/json/tree.js'
import { classesOf } from '../classes.js'
import { asBuiltin } from './apply.js'
import { builtinNames } from './classes.js'

interface Vector {
  class: string
  val: unknown
  stored: unknown
  base: string
  leaf: string
  digest: string
}
/** What the SDK itself makes of these values. */
const { vectors } = JSON.parse(readFileSync(new URL('./vectors.json', import.meta.url), 'utf8')) as {
  vectors: Vector[]
}
const stored = (name: string, val: string) => asBuiltin(parseTree(val), name)

describe('built-in classes', () => {
  it.each(vectors)('$class is stored as the SDK does, with its digest', (vector) => {
    const tree = stored(vector.class, JSON.stringify(vector.val))
    expect(treeValue(tree)).toEqual(vector.stored)
    expect(objectDigest(tree)).toBe(vector.digest)
    expect(classesOf(tree)).toMatchObject({ base: vector.base, leaf: vector.leaf })
    expect(asBuiltin(tree, vector.class)).toBe(tree)
  })

  it('are all held by a vector', () =>
    expect([...new Set(vectors.map((vector) => vector.class))].sort()).toEqual([...builtinNames].sort()))

  it.each([
    ['Nothing', '{}', 'Unknown built-in class "Nothing"'],
    ['constructor', '{}', 'Unknown built-in class'],
    ['Provider', '[]', 'val should be an object to be a Provider.'],
    ['Provider', '{"api_key_name":"K"}', 'val.base_url is missing'],
    [
      'Provider',
      '{"api_key_name":"K","base_url":"ftp://x"}',
      'val.base_url should be an http or https address',
    ],
    ['Provider', '{"api_key_name":"K","base_url":"http://x/?a"}', 'val.base_url'],
    ['Provider', '{"api_key_name":"K","base_url":"http://u:p@x/"}', 'val.base_url'],
    [
      'Provider',
      '{"api_key_name":"K","base_url":"http://x","extra_headers":{"Metadata-Flavor":"x"}}',
      'may not be set',
    ],
    ['ProviderModel', '{"provider":"x","max_tokens":1.5}', 'val.max_tokens should be a whole number'],
    ['ProviderModel', '{"provider":"x","max_tokens":"5"}', 'val.max_tokens should be a whole number'],
    ['Leaderboard', '{"columns":[{}]}', 'val.columns.0.evaluation_object_ref is missing'],
    [
      'SavedView',
      '{"view_type":"t","label":"l","definition":{"query":{"$expr":{"$literal":1}}}}',
      'val.definition.query.$expr should have one of',
    ],
    [
      'SavedView',
      '{"view_type":"t","label":"l","definition":{"query":{"$expr":{"$eq":[{"$literal":1}]}}}}',
      '$eq should be a list of 2',
    ],
    [
      'SavedView',
      '{"view_type":"t","label":"l","definition":{"query":{"$expr":{"$and":[]},"x":1}}}',
      'val.definition.query.x is no field',
    ],
    ['LLMStructuredCompletionModel', '{"llm_model_id":"m","x":1}', 'val.x is no field of this class'],
    [
      'AgentDashboard',
      '{"label":"l","definition":{"panels":[{"id":"1"}]}}',
      'val.definition.panels.0 should be a panel',
    ],
    ['AlertSpec', '{"spec":{"threshold":"high"}}', 'val.spec.threshold should be a number'],
    [
      'AnnotationSpec',
      '{"_class_name":"Provider","_bases":["BaseObject","BaseModel"]}',
      'says that it is a Provider',
    ],
  ])('%s refuses %s', (name, val, problem) => expect(() => stored(name, val)).toThrow(problem))

  it.each([
    ['{"b":2.0}', '2'],
    ['{"b":123456789012345678901234567890}', '123456789012345678901234567890'],
  ])('%s keeps its digits', (val, digits) => {
    const tree = stored('TestOnlyNestedBaseObject', val) as Map<string, { text: string }>
    expect(tree.get('b')?.text).toBe(digits)
  })
})
