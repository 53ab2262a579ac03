/**
 * What a walker asks of TypeScript while it writes a span: plans for keys that it hasn't met, ops, templates, and values
 * that are rare. Values, texts and events are read by the code that writes spans without a walker. An error goes through the walker to
 * the caller of `write`, and the span is left to TypeScript.
 */

import type { CallBlock } from '../../../domain/calls/block.js'
import type { Shared } from '../../../domain/calls/low-cardinality.js'
import { lookup } from '../../../platform/json/fields.js'
import { utf8At } from '../../../platform/json/text.js'
import { namedIn } from '../agent.js'
import { textOf } from '../attribute-lookup.js'
import { answerAt } from '../call.js'
import { firstTokenOf } from '../labels.js'
import type { Project } from '../projects.js'
import { Span } from '../span.js'
import { contentOf, exceptionOf, type SpanContent } from '../span-events.js'
import { attributeJson } from '../value.js'
import { Wire } from '../wire.js'
import { Arena, NoRoom } from './arena.js'
import type { Host, Instance } from './instance.js'
import { type AttributePlan, planOf, type Source } from './plan.js'
import { type PlanNumbers, UNITS, writePartPlan, writePlan } from './plan-words.js'
import type { Cut, SpanTemplate } from './span-template.js'

/** Of the arena; beyond, everything in it is forgotten before the next span. */
const MUCH = 8 << 20

/** Characters of texts that are written one by one. */
const SHORT = 64

/** In place of no cut: see `assembly/content.ts`. */
const NO_CUT = 127
/** Marks of an agent's targets: see `assembly/agent.ts`. */
const COUNT = 1
const CONVERSATION = 2
/** Where the keys of an attribute stand: see `assembly/attribute.ts`. */
const KEY_FROM = 24
const KEY_TO = 28
const ATTRIBUTE_SIZE = 32

export class WalkerHost {
  readonly #block: CallBlock
  #memory: Buffer = Buffer.alloc(0)
  #wire = new Wire(this.#memory)
  #arena = new Arena(this.#memory, 0, 0)
  #at: Instance['at'] = () => 0
  #plans: AttributePlan[] = []
  #templates: SpanTemplate[] = []
  #paths: (readonly string[])[] = []
  #projects = new Map<Project, { number: number; from: number; to: number }>()
  #project: Project | undefined
  #projectNumber = 0
  #origin: Shared | undefined
  /** The span at hand in its request. */
  #request: Wire | undefined
  #from = 0
  #to = 0
  /** What its events say, once it was asked for. */
  #content: SpanContent | undefined

  constructor(block: CallBlock) {
    this.#block = block
  }

  /** Serves `instance` from now on, and no other. */
  serve({ memory, at }: Instance): void {
    this.#memory = memory
    this.#wire = new Wire(memory)
    this.#arena = new Arena(memory, at('ARENA'), at('ARENA_END'))
    this.#at = at
  }

  /** Bytes of the arena in use. */
  get remembered(): number {
    return this.#arena.used
  }

  /** Whether so much is remembered that it should be forgotten. */
  get isFull(): boolean {
    return this.#arena.used > MUCH
  }

  /** Forgets all plans, ops and projects; the walker has to, too. */
  forget(): void {
    this.#arena.reset()
    this.#plans = []
    this.#templates = []
    this.#paths = []
    this.#projects = new Map()
  }

  /** Where the id of `project` stands, and its number. @throws NoRoom */
  project(project: Project): { number: number; from: number; to: number } {
    let known = this.#projects.get(project)
    if (known === undefined) {
      const [from, to] = this.#arena.slice(project.id)
      known = { number: this.#projects.size + 1, from, to }
      this.#projects.set(project, known)
    }
    this.#project = project
    this.#projectNumber = known.number
    return known
  }

  /** The scope and resource of the spans from now on. */
  set origin(origin: Shared) {
    this.#origin = origin
  }

  /** The span that is written next. */
  begin(wire: Wire, from: number, to: number): void {
    this.#request = wire
    this.#content = undefined
    this.#from = from
    this.#to = to
  }

  /** What the walker imports. */
  readonly functions: Host = {
    plan: (attributes, count, isSpan) => this.#roomy(() => this.#plan(attributes, count, isSpan !== 0)),
    op: (from, to) => this.#roomy(() => this.#op(from, to)),
    meet: (_op, from, to) => {
      this.#project!.opRef(this.#memory, from, to)
    },
    template: (plan, kind, statusCode, hasParent, hasEnd, inputs, output) =>
      this.#roomy(() => {
        const { templates, inputs: ins, output: outs } = this.#plans[plan]!
        const head = { kind, statusCode, hasParent: hasParent !== 0, hasEnd: hasEnd !== 0 }
        const template = templates.of(head, cutOf(ins, inputs), cutOf(outs, output))
        const { attributes } = template
        const number = this.#templates.push(template) - 1
        return this.#arena.words([0, 0, number, 0, 0, attributes.length, ...attributes])
      }),
    shape: (template) => this.#block.otel_shape.indexOf(this.#templates[template]!) ?? -1,
    origin: () => this.#block.otel_origin.indexOf(this.#origin!) ?? -1,
    value: (kind, from, to, secret, isJson, at, limit) => {
      const json = attributeJson(this.#wire, { kind, from, to }, secret !== 0, isJson !== 0)
      const length = this.#put(json, at, limit)
      // Never said to be a text as on the wire, so that its leaf is read from what is written here.
      return length < 0 ? -1 : length * 2
    },
    text: (from, to, at, limit) => this.#put(textOf(this.#textAt(from, to)), at, limit),
    inside: (from, to, path) => {
      const found = lookup(this.#memory, { from, to }, this.#paths[path]!)
      return found === undefined ? 0n : (BigInt(found.to) << 32n) | BigInt(found.from)
    },
    firstToken: (unit, from, to, started) => firstTokenOf(this.#textAt(from, to), UNITS[unit], started),
    answer: (from, to) => answerAt(this.#memory, from, to) ?? 0,
    content: (isOutput, at, limit) => {
      this.#content ??= contentOf(this.#request!, this.#span())
      const { inputs, output } = this.#content
      const text = isOutput ? output : inputs
      if (text === undefined) return -1
      if (at + text.length > limit) return -2
      this.#memory.set(text, at)
      return text.length
    },
    exception: (at, limit) => this.#put(exceptionOf(this.#request!, this.#span()), at, limit),
  }

  #span(): Span {
    return new Span(this.#request!, this.#from, this.#to)
  }

  #textAt(from: number, to: number): string {
    return utf8At(this.#memory, from, to)
  }

  /** Writes `text` to `at`; returns its length, -1 if there is none, -2 if there is no room. */
  #put(text: string | undefined, at: number, limit: number): number {
    if (text === undefined) return -1
    if (at + text.length * 3 > limit && at + Buffer.byteLength(text) > limit) return -2
    const memory = this.#memory
    // Short texts are mostly ASCII, and then this is faster.
    let i = 0
    if (text.length < SHORT)
      for (; i < text.length && text.charCodeAt(i) < 128; i++) memory[at + i] = text.charCodeAt(i)
    return i === text.length ? i : memory.write(text, at, 'utf8')
  }

  /** What `make` returns, or 0 if the arena has no room for it. */
  #roomy(make: () => number): number {
    try {
      return make()
    } catch (error) {
      if (error instanceof NoRoom) return 0
      throw error
    }
  }

  #plan(attributes: number, count: number, isSpan: boolean): number {
    const memory = this.#memory
    const keys: string[] = []
    for (let i = 0; i < count; i++) {
      const attribute = attributes + i * ATTRIBUTE_SIZE
      const from = memory.readUInt32LE(attribute + KEY_FROM)
      keys.push(utf8At(memory, from, memory.readUInt32LE(attribute + KEY_TO)))
    }
    if (!isSpan) return writePartPlan(this.#arena, keys)
    const plan = planOf(keys)
    const number = this.#plans.push(plan) - 1
    return writePlan(this.#arena, keys, plan, number, this.#numbers)
  }

  readonly #numbers: PlanNumbers = {
    agent: (name) =>
      name === 'conversation_id' ? CONVERSATION : this.#at(name) + (name.endsWith('_tokens') ? COUNT : 0),
    label: (name) => this.#at(name),
    path: (path) => this.#paths.push(path) - 1,
  }

  #op(from: number, to: number): number {
    const memory = this.#memory
    const ref = this.#project!.opRef(memory, from, to)
    const { operation, agent } = namedIn(utf8At(memory, from, to))
    const arena = this.#arena
    const texts = [
      ...arena.slice(new Uint8Array(ref.buffer, ref.byteOffset, ref.byteLength)),
      ...arena.slice(Buffer.from(operation)),
      ...arena.slice(Buffer.from(agent)),
    ]
    const op = arena.piece(48 + to - from)
    new Uint32Array(memory.buffer, op, 10).set([0, 0, this.#projectNumber, to - from, ...texts])
    memory.copyWithin(op + 48, from, to)
    return op
  }
}

/** The cut numbered `number` of inputs or output. */
function cutOf(sources: readonly Source[], number: number): Cut | undefined {
  if (number === NO_CUT) return undefined
  const source = sources[number >> 1]!
  return number % 2 === 0 ? source.named : source.bare
}
