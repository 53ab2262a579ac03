import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync } from 'oxc-parser'
import { expect, it } from 'vitest'
import { pattern } from './pattern.js'

it.each(['^(a+)+$', '^(a|a)*$', '^(.*a){12}$', '^(?:a?){50}a{50}$'])('%s takes linear time', (evil) => {
  expect(pattern(evil).test(`${'a'.repeat(10_000)}!`)).toBe(false)
})

const ROOMS = [
  'platform',
  'contract',
  'domain',
  'ingest',
  'query',
  'resources',
  'training-api',
  'cli',
  'clickhouse-embedded',
].concat(['evaluation', 'inference', 'trainer'].map((name) => `${name}-worker`))

type Node = Record<string, unknown> & { type: string }

/** Every node of a syntax tree. */
function* nodes(tree: unknown): Generator<Node> {
  if (Array.isArray(tree)) for (const one of tree) yield* nodes(one)
  else if (tree !== null && typeof tree === 'object') {
    if (typeof (tree as Node).type === 'string') yield tree as Node
    for (const one of Object.values(tree)) yield* nodes(one)
  }
}

/** Names that are bound once, where the file begins: constants, and what is imported. */
function fixedNames(program: { body: unknown[] }): Set<unknown> {
  const top = (program.body as Node[]).flatMap((node) =>
    node.type.startsWith('Export') && node.declaration ? [node.declaration as Node] : [node],
  )
  const bound = top.flatMap((node) =>
    node.type === 'ImportDeclaration'
      ? (node.specifiers as { local: unknown }[]).map(({ local }) => local)
      : node.type === 'VariableDeclaration' && node.kind === 'const'
        ? (node.declarations as { id: unknown }[]).map(({ id }) => id)
        : [],
  )
  return new Set(bound.map((id) => (id as { name?: unknown }).name))
}

const isRaw = ({ object, property }: Node): boolean =>
  (object as Node | undefined)?.name === 'String' && (property as Node | undefined)?.name === 'raw'

/** Places of a file where a pattern of V8's is made from a text that the file does not fix. */
function patternsOf(path: string): string[] {
  const text = readFileSync(path, 'utf8')
  const { program } = parseSync(path, text)
  const fixed = fixedNames(program)
  const isFixed = (node: Node | undefined): boolean =>
    node === undefined ||
    node.type === 'Literal' ||
    (node.type === 'Identifier' && fixed.has(node.name)) ||
    (node.type === 'TemplateLiteral' && (node.expressions as Node[]).every(isFixed)) ||
    (node.type === 'TaggedTemplateExpression' && isRaw(node.tag as Node) && isFixed(node.quasi as Node))
  const makes = (node: Node): boolean => {
    if (node.type !== 'NewExpression' && node.type !== 'CallExpression') return false
    const callee = node.callee as Node
    if (callee.type === 'Identifier') return callee.name === 'RegExp' || /^Ajv/.test(String(callee.name))
    const method = (callee.property as Node | undefined)?.name
    // A text that is given to these becomes a pattern.
    return callee.type === 'MemberExpression' && ['match', 'matchAll', 'search'].includes(String(method))
  }
  return [...nodes(program)]
    .filter((node) => makes(node) && !(node.arguments as Node[]).slice(0, 1).every(isFixed))
    .map(({ start, end }) => `${path}: ${text.slice(start as number, end as number).slice(0, 80)}`)
}

it('nothing but this makes patterns from what callers send', () => {
  const files = ROOMS.flatMap((room) =>
    readdirSync(room, { recursive: true, encoding: 'utf8' }).map((name) => join(room, name)),
  ).filter((path) => path.endsWith('.ts') && !/\.test\.ts$|\/testing\/|\.d\.ts$/.test(path))
  expect(files.length).toBeGreaterThan(300)
  // Its checker is given the linear engine.
  const allowed = 'platform/json-schema/check.ts'
  expect(files.filter((path) => path !== allowed).flatMap(patternsOf)).toEqual([])
})
