/**
 * Runs one batch, from wherever it is, to its end: counts and checks its lines, asks for those without a result in idle
 * places, stores each result, and ends the batch. May stop at any point: who runs it next finds the results so far, and
 * a line that was answered twice has one result.
 */
import { setMaxListeners } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { type FinishedCall, recordCalls } from '../../domain/calls/record.js'
import type { Chat } from '../../domain/chat/chat.js'
import { problems } from '../../domain/chat/problem.js'
import { ProjectRegister } from '../../domain/projects/register.js'
import type { SigningSecrets } from '../../domain/secrets/signing-secrets.js'
import { parseModelName } from '../../domain/training/model-name.js'
import { Batcher } from '../../platform/batch/batcher.js'
import { errors } from '../../platform/errors/catalog.js'
import { HeddleError } from '../../platform/errors/error.js'
import type { Principal } from '../../platform/http/principal.js'
import { projectIdOf } from '../../platform/ids/project.js'
import { sealReasoning } from '../chat/reasoning-token.js'
import { numberedLines } from '../jobs/lines.js'
import { VERSION, writeRow } from '../responses/table.js'
import type { Threads } from '../threads/threads.js'
import { finishedCall, type LoggedCall } from '../trace/call.js'
import { type Asking, answerOf } from './ask.js'
import { type BatchRow, changeBatch, type FinalStatus } from './batch-table.js'
import type { BatchFiles, FileParts } from './files.js'
import { KeyHolder } from './key.js'
import { answerText, type Failure, failureOf, failureText, type InputLine } from './line.js'
import { mayPass, Tries } from './patience.js'
import { type BatchError, batchErrors } from './problems.js'
import { type LineRequest, modelOf } from './request.js'
import { countsOf, type LineResult, linesDone, putResults } from './result-table.js'

/** Most lines that a batch reads ahead of their results, and about how many bytes of them. */
const WINDOW = 64
const WINDOW_BYTES = 2 ** 20
const MOST_LINES = 50_000
/** Results stored in one statement: lines, and their bytes. */
const BLOCK = { items: 1000, weight: 16 * 2 ** 20, weigh: ({ text }: LineResult) => text.length }
/** Calls stored in one statement. */
const CALLS = { items: 200 }
/** Results are stored for as long as a file of them may be kept, and the batch may take. */
const RESULT_SECONDS = 32 * 86_400

export interface RunParts extends FileParts {
  chat: Chat
  threads: Threads
  files: BatchFiles
  /** of reasoning tokens */
  secrets: SigningSecrets
  /** counts a request */
  ended: Asking['ended']
}

/** Why a run ends before its lines do. */
export class Ending extends Error {
  constructor(
    readonly status: Exclude<FinalStatus, 'completed'>,
    readonly error?: BatchError,
  ) {
    super(status)
  }
}

interface NumberedLine extends InputLine {
  /** from 1 */
  number: number
  bytes: Uint8Array
}

/** Why lines have no answer when a batch ends before them. */
const CLOSED: Partial<Record<FinalStatus, BatchError>> = {
  expired: { code: 'batch_expired', message: 'The batch expired before this request was answered.' },
  cancelled: {
    code: 'batch_cancelled',
    message: 'The batch was cancelled before this request was answered.',
  },
}

export class BatchRun {
  private readonly over = new AbortController()
  private readonly results: Batcher<LineResult, undefined>
  private readonly calls: Batcher<FinishedCall, undefined>
  private readonly holder: KeyHolder
  private secrets: readonly string[] = []

  /** @param stop aborted when this process may no longer run the batch */
  constructor(
    private readonly parts: RunParts,
    private row: BatchRow,
    private readonly stop: AbortSignal,
  ) {
    const { store } = parts
    setMaxListeners(0, this.over.signal)
    stop.addEventListener('abort', () => this.over.abort(stop.reason))
    this.holder = new KeyHolder(store, row.key_id)
    this.results = new Batcher(async (results) => {
      stop.throwIfAborted()
      await putResults(store, results, row.created_at + RESULT_SECONDS, row.trace_project)
      return results.map(() => undefined)
    }, BLOCK)
    this.calls = new Batcher(async (calls) => {
      await recordCalls(store, calls)
      return calls.map(() => undefined)
    }, CALLS)
  }

  /** Logs the calls of a line that has its result. A crash before this loses them, and none is logged twice. */
  private async log(calls: readonly LoggedCall[]): Promise<void> {
    const { trace_project: project, id: batch } = this.row
    if (project === '' || calls.length === 0) return
    let rows: FinishedCall[] | undefined
    await this.trying(
      async () => {
        const principal = await this.principal()
        if (!principal.may('write', project)) return
        // Once, so that another try stores no other ones.
        rows ??= calls.map((call) => finishedCall(call, { project, userId: principal.userId, batch }))
        await Promise.all(rows.map((row) => this.calls.ask(row)))
      },
      () => undefined,
    )
  }

  /** Ends the batch early. */
  end(ending: Ending): void {
    this.over.abort(ending)
  }

  /** Resolves when the batch has ended. @throws when it has not: another try goes on from here */
  async toItsEnd(): Promise<void> {
    const late = setTimeout(() => this.end(new Ending('expired')), this.row.expires_at * 1000 - Date.now())
    try {
      if (this.row.status === 'cancelling') this.end(new Ending('cancelled'))
      if (this.row.endpoint === '/v1/responses') this.secrets = await this.parts.secrets.read()
      if (this.row.trace_project !== '')
        await new ProjectRegister(this.parts.store).note([this.row.trace_project])
      if (this.row.total === 0) await this.check()
      await this.work()
      await this.finish('completed')
    } catch (error) {
      const reason: unknown = this.over.signal.aborted ? this.over.signal.reason : error
      if (!(reason instanceof Ending) || this.stop.aborted) throw error
      await this.finish(reason.status, reason.error)
    } finally {
      clearTimeout(late)
      // Nothing of it runs on.
      this.over.abort(new Error('The run is over.'))
    }
  }

  /** Counts the lines, and stores the results of those that can't run. */
  private async check(): Promise<void> {
    const ids = new Set<string>()
    const models = new Map<string, Promise<Failure | undefined>>()
    const principal = await this.principal()
    const total = await this.count()
    const bad: LineResult[] = []
    for await (const line of this.lines()) {
      const failure =
        repeated(ids, line) ?? line.failure ?? (await this.modelFailure(line, models, principal))
      if (failure) bad.push(this.failed(line, failure))
      if (bad.length === BLOCK.items) await this.keep(bad.splice(0))
    }
    await this.keep(bad)
    await this.change((row) =>
      row.status === 'validating'
        ? { ...row, total, status: 'in_progress', in_progress_at: nowSeconds() }
        : { ...row, total },
    )
  }

  private async count(): Promise<number> {
    let total = 0
    for await (const _ of this.plainLines(this.over.signal))
      if (++total > MOST_LINES) throw new Ending('failed', batchErrors.tooManyLines(MOST_LINES))
    if (total === 0) throw new Ending('failed', batchErrors.empty)
    return total
  }

  /** What a request for the line's model would be answered now, unless it would run, or may later. */
  private async modelFailure(
    { request }: InputLine,
    models: Map<string, Promise<Failure | undefined>>,
    principal: Principal,
  ): Promise<Failure | undefined> {
    if (!request) return undefined
    const model = modelOf(request.asked)
    const known = models.get(model)
    if (known) return known
    const failure = this.parts.chat.target(model, principal, this.embeds).then(
      () => undefined,
      (error: unknown) => {
        if (mayPass(error)) return undefined
        if (error instanceof HeddleError) return failureOf(error)
        throw error
      },
    )
    // Whoever names a thousand models has most of them wrong; each of them costs a statement.
    if (models.size < 1000) models.set(model, failure)
    return failure
  }

  /** Asks for every line without a result; a bounded number of them at once. */
  private async work(): Promise<void> {
    const { signal } = this.over
    const running = new Set<Promise<void>>()
    let held = 0
    try {
      for await (const line of this.lines(await linesDone(this.parts.store, this.row.id))) {
        const one = this.answer(line)
          .catch((error: unknown) => this.over.abort(error))
          .finally(() => {
            running.delete(one)
            held -= line.bytes.length
          })
        running.add(one)
        held += line.bytes.length
        while (running.size >= WINDOW || held > WINDOW_BYTES) await Promise.race(running)
        signal.throwIfAborted()
      }
    } finally {
      // No result is stored once the batch has ended.
      await Promise.all(running)
    }
    signal.throwIfAborted()
  }

  /** Asks until there is a result, and stores it. */
  private async answer(line: NumberedLine): Promise<void> {
    const calls: LoggedCall[] = []
    const result = await this.trying(
      () => this.ask(line, calls),
      (error) => this.failed(line, failureOf(error)),
    )
    await this.trying(
      () => this.results.ask(result),
      (error) => {
        throw error
      },
    )
    await this.log(calls)
  }

  /** Repeats `work` as long as it may succeed. @param last makes a result of the error that can't be helped */
  private async trying<T>(work: () => Promise<T>, last: (error: HeddleError) => T): Promise<T> {
    const { signal } = this.over
    for (const tries = new Tries(); ; ) {
      try {
        return await work()
      } catch (error) {
        signal.throwIfAborted()
        const wait = tries.after(error)
        if (wait === undefined) return last(error instanceof HeddleError ? error : errors.internal())
        await pause(wait, undefined, { signal })
      }
    }
  }

  private get embeds(): boolean {
    return this.row.endpoint === '/v1/embeddings'
  }

  /** Asks in an idle place; in another one if a live request needed it. @param calls gets those of the last attempt */
  private async ask(line: NumberedLine, calls: LoggedCall[]): Promise<LineResult> {
    if (!line.request) return this.failed(line, line.failure!)
    const { chat, ended, store } = this.parts
    const { asked, from, to } = line.request
    for (;;) {
      calls.length = 0
      const principal = await this.principal()
      const base = await this.baseOf(modelOf(asked), principal)
      const slot = await chat.idle.take(base, this.row.owner, this.over.signal)
      const signal = AbortSignal.any([this.over.signal, slot.signal])
      try {
        const answer = await answerOf(asked, line.bytes.subarray(from, to), {
          ...{ chat, principal, signal, ended, log: (call) => calls.push(call) },
          seal: (reasoning) => sealReasoning(reasoning, this.secrets[0]!),
          store: (content, status) =>
            asked.kind === 'response'
              ? writeRow(store, { ...this.responseRow(asked), content, status })
              : Promise.resolve(),
        })
        const text = answerText(this.idOf(line), line.customId!, answer)
        return { batch_id: this.row.id, line: line.number, failed: 0, text }
      } catch (error) {
        if (!slot.signal.aborted) throw error
      } finally {
        slot.release()
      }
    }
  }

  /** A response as a live request would have stored it. */
  private responseRow({ id, read }: Extract<LineRequest, { kind: 'response' }>) {
    const { owner, trace_project: project } = this.row
    return {
      ...{ owner, id, thread: id, previous: '', items: read.items, deleted: 0 as const, ver: VERSION.ended },
      ...{ project_id: project === '' ? '' : projectIdOf(project), created_at: Date.now() },
    }
  }

  /** The base model behind a name. One that was known when the lines were checked is away, not unknown. */
  private async baseOf(model: string, principal: Principal): Promise<string> {
    try {
      return (await this.parts.chat.target(model, principal, this.embeds)).base
    } catch (error) {
      const isAway = error instanceof HeddleError && error.code === 'UNKNOWN_MODEL'
      throw isAway && parseModelName(model)?.kind === 'base' ? problems.noNode(model) : error
    }
  }

  /** Ends the batch, with the results that are there. */
  private async finish(status: FinalStatus, error?: BatchError): Promise<void> {
    const { files, store } = this.parts
    const { owner, id: batch_id, output_seconds } = this.row
    const why = CLOSED[status]
    if (why && this.row.total > 0) await this.closeRest(why).catch(unlessGone)
    const ended_at = nowSeconds()
    const of = { owner, key_id: '', batch_id, created_at: ended_at, expires_at: ended_at + output_seconds }
    const output = await files.addResults({ ...of, failed: 0 })
    const wrong = await files.addResults({ ...of, failed: 1 })
    const counts = (await countsOf(store, [batch_id])).get(batch_id)
    await this.change((row) => ({
      ...{ ...row, ...counts, status, ended_at },
      ...{ output_file_id: output?.id ?? '', error_file_id: wrong?.id ?? '' },
      errors: error ? JSON.stringify([error]) : '',
    }))
  }

  /** Stores why there is no answer, for each line without a result. */
  private async closeRest(why: BatchError): Promise<void> {
    const done = await linesDone(this.parts.store, this.row.id)
    const rest: LineResult[] = []
    for await (const line of this.lines(done, this.stop)) {
      rest.push(this.failed(line, { kind: 'line', ...why }))
      if (rest.length === BLOCK.items) await this.keep(rest.splice(0))
    }
    await this.keep(rest)
  }

  private async keep(results: readonly LineResult[]): Promise<void> {
    await Promise.all(results.map((result) => this.results.ask(result)))
  }

  /** The lines of the input file that are not in `without`, read. */
  private async *lines(
    without: ReadonlySet<number> = new Set(),
    signal = this.over.signal,
  ): AsyncGenerator<NumberedLine> {
    for await (const { bytes, number } of this.plainLines(signal)) {
      if (without.has(number)) continue
      const input = { bytes, endpoint: this.row.endpoint, secrets: this.secrets }
      const read = await this.parts.threads.run('batchLine', input, bytes.length)
      yield { ...read, number, bytes }
    }
  }

  /** The lines of the input file. Empty ones count in the numbers only. */
  private async *plainLines(signal: AbortSignal): AsyncGenerator<{ bytes: Uint8Array; number: number }> {
    const content = await this.parts.files.input(this.row.input_file_id, signal)
    if (!content) throw new Ending('failed', batchErrors.noInput)
    for await (const line of numberedLines(content)) if (line.bytes.some((byte) => byte > 0x20)) yield line
  }

  /** @throws Ending if the key was revoked */
  private async principal(): Promise<Principal> {
    const principal = await this.holder.now()
    if (principal) return principal
    const ending = new Ending('failed', batchErrors.noKey)
    this.end(ending)
    throw ending
  }

  private failed(line: NumberedLine, failure: Failure): LineResult {
    const text = failureText(this.idOf(line), line.customId, failure, line.number)
    return { batch_id: this.row.id, line: line.number, failed: 1, text }
  }

  /** The id of a request: the same however often it is asked. */
  private idOf({ number }: NumberedLine): string {
    return `batch_req_${this.row.id.replace(/^batch_/, '')}-${number}`
  }

  private async change(decide: (row: BatchRow) => BatchRow): Promise<void> {
    this.stop.throwIfAborted()
    this.row = (await changeBatch(this.parts, this.row, decide)) ?? this.row
  }
}

/** What is wrong with a line that has the custom_id of an earlier one. */
function repeated(ids: Set<string>, { customId }: InputLine): Failure | undefined {
  if (customId === null || !ids.has(customId)) {
    if (customId !== null) ids.add(customId)
    return undefined
  }
  return { kind: 'line', code: 'duplicate_custom_id', message: 'An earlier line has the same custom_id.' }
}

/** Without the input file nobody knows the names of the lines that are left. */
function unlessGone(error: unknown): void {
  if (!(error instanceof Ending)) throw error
}

const nowSeconds = () => Math.floor(Date.now() / 1000)
