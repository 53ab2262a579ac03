/**
 * Stores what an import brings, in batches, through the public interface. All of it can be stored twice without harm:
 * calls, spans and feedback have ids of their own. What is refused is left out and told, and harms no neighbours.
 */
import { RESOURCE_KEYS } from '../../domain/conventions/table.js'
import { projectPath } from '../http-client.js'
import type { Checkpoint } from './checkpoint.js'
import { isRefusal, type Remote } from './remote.js'

/** What can be stored, as JSON text: a finished call, the start of one, an OTLP span, feedback. */
export interface Piece {
  kind: keyof typeof ROUTES
  text: string
}

interface Route {
  path(project: string): string
  /** the body for some of them */
  body(texts: readonly string[], project: string): string
}

const batch = (texts: readonly string[]) => `{"batch":[${texts.join(',')}]}`
const ROUTES = {
  call: { path: (project) => projectPath(project, 'calls/complete'), body: batch },
  start: {
    path: () => '/call/upsert_batch',
    body: (texts) => batch(texts.map((text) => `{"mode":"start","req":{"start":${text}}}`)),
  },
  span: {
    path: () => '/otel/v1/traces',
    body: (texts, project) =>
      `{"resourceSpans":[{"resource":${resourceOf(project)},"scopeSpans":[{"spans":[${texts.join(',')}]}]}]}`,
  },
  feedback: { path: () => '/feedback/batch/create', body: batch },
} satisfies { [kind: string]: Route }

/** Names the project, which a header can't do for every name. */
function resourceOf(project: string): string {
  const [entity, name] = project.split('/')
  const keys = [RESOURCE_KEYS.entity[0], RESOURCE_KEYS.project[0]]
  const attributes = [entity, name].map((stringValue, i) => ({ key: keys[i], value: { stringValue } }))
  return JSON.stringify({ attributes })
}

const MOST_PIECES = 500
const MOST_LENGTH = 2 << 20

export class Sink {
  private held: Piece[] = []
  private length = 0

  constructor(
    private readonly to: Remote,
    private readonly project: string,
    private readonly checkpoint: Checkpoint,
  ) {}

  add(pieces: readonly Piece[]): void {
    for (const piece of pieces) {
      this.held.push(piece)
      this.length += piece.text.length
    }
  }

  /** True if it is time to store what is held. */
  get isFull(): boolean {
    return this.held.length >= MOST_PIECES || this.length >= MOST_LENGTH
  }

  /** Stores what is held. @throws AnswerError */
  async flush(): Promise<void> {
    // Calls come before the feedback about them.
    for (const kind of ['call', 'start', 'span', 'feedback'] as const) {
      const texts = this.held.flatMap((piece) => (piece.kind === kind ? piece.text : []))
      if (texts.length > 0) await this.store(kind, texts)
    }
    this.held = []
    this.length = 0
  }

  /** Stores them, or, where one of them is refused, all but that one. */
  private async store(kind: Piece['kind'], texts: readonly string[]): Promise<void> {
    const { path, body } = ROUTES[kind]
    try {
      const answer = await this.to.json<{
        partialSuccess?: { rejectedSpans?: string; errorMessage?: string }
      }>(path(this.project), { body: body(texts, this.project) })
      const { rejectedSpans = '0', errorMessage = '' } = answer.partialSuccess ?? {}
      this.checkpoint.refuse(Number(rejectedSpans), errorMessage)
    } catch (error) {
      if (!isRefusal(error)) throw error
      if (texts.length === 1) return this.checkpoint.refuse(1, reasonIn(error), idOf(texts[0]!))
      const half = texts.length >> 1
      await this.store(kind, texts.slice(0, half))
      await this.store(kind, texts.slice(half))
    }
  }
}

/** Without the place in the batch, which the user has not seen. */
function reasonIn({ message }: Error): string {
  return message.replace(/^batch: 0: (req: start: )?/, '')
}

function idOf(text: string): string | undefined {
  const { id } = JSON.parse(text) as { id?: string }
  return id
}
