/** Creates a job from a request, and refuses at once what can be checked at once. */
import { z } from 'zod'
import { TrainingDataSource } from '../../contract/training-data.js'
import { JobCheck, JobReward } from '../../contract/training-guidance.js'
import type { Method } from '../../contract/training-methods.js'
import { ExperimentalConfig, nodeOptions, type SftConfig } from '../../contract/training-options.js'
import { checkpointsAt, type StoredCheckpoint } from '../../domain/training/checkpoints.js'
import type { JobRow, KlReference } from '../../domain/training/jobs.js'
import type { StoredModel } from '../../domain/training/models.js'
import { namedCheckpoint } from '../../domain/training/named-checkpoint.js'
import { validate } from '../../platform/http/json-body.js'
import type { Threads } from '../threads/threads.js'
import { bodyParts, type Part } from './body-parts.js'
import { GROUPS, parsed } from './group.js'
import { guidanceFor, type PlanScorers } from './guidance.js'
import type { JobService } from './job-service.js'
import type { StoredLines } from './lines.js'
import { invalid, trainingProblems } from './problems.js'
import { conversationsAt, type Requester, type SourceParts, traced } from './sources.js'

export type JobSources = Omit<SourceParts, 'artifacts'> & { planScorers: PlanScorers }

/** The fields of the body that schemas check. */
const RlOptions = z.object({
  experimental_config: ExperimentalConfig.nullish(),
  reward: JobReward.nullish(),
  check: JobCheck.nullish(),
})
const LIMITS = { field: 2 ** 20, element: 64 * 2 ** 20 }
/** Stands in for the model's id until it is known. */
const INCOMING = 'incoming'
/** The default number of samples in a gradient step, the same as in the node's recipes. */
const BATCH_SIZE: Record<Method, number> = { sft: 2, dpo: 2, kto: 8 }

export interface SftBody {
  model_id: string
  training_data_url?: string | null | undefined
  training_data?: TrainingDataSource | null | undefined
  config?: z.output<typeof SftConfig> | null | undefined
}

/** @throws 404, 422, `BAD_TRAINING_DATA` (400) */
export async function createSft(
  service: JobService,
  sources: JobSources,
  body: SftBody,
  requester: Requester,
): Promise<{ model: StoredModel; job: JobRow }> {
  const { training_data_url: url, training_data: source } = body
  const model = await service.model(body.model_id, requester.principal, 'write')
  const quota = await service.admit(model)
  if ((url ?? undefined) === undefined && !source) throw invalid(['training_data_url'], 'Field required')
  if (url && source) throw invalid(['training_data'], 'Should be omitted with training_data_url')
  const { artifacts } = service.artifacts
  const kind = body.config?.method ?? 'sft'
  const lines = source
    ? traced(sources.traceLines, source, kind, requester)
    : await conversationsAt({ ...sources, artifacts }, url!, requester, kind)
  const id = service.newId()
  try {
    const data = await service.keep(model, id, lines, quota)
    if (data.data_count === 0) throw trainingProblems.badData('The training data has no line.')
    checkRates(body.config, data.data_count)
    const config = body.config ? JSON.stringify(body.config) : ''
    return {
      model,
      job: await service.add(
        { id, kind, model, config, data, userId: requester.principal.userId },
        requester.notes,
      ),
    }
  } catch (error) {
    await service.drop(model.id, id)
    throw error
  } finally {
    quota.release()
  }
}

/** Checks that a list of learning rates has one for each batch. */
function checkRates(config: SftBody['config'], samples: number): void {
  const rates = config?.learning_rate
  if (!Array.isArray(rates)) return
  const size = config?.batch_size ?? BATCH_SIZE[config?.method ?? 'sft']
  const batches = Math.ceil(samples / size) * (config?.epochs ?? 1)
  if (rates.length !== batches) {
    throw invalid(
      ['config', 'learning_rate'],
      `Should hold one number for each of the ${batches} batches; these are ${rates.length}`,
    )
  }
}

/** Reads the body as it arrives. @throws 400, 404, 413, 422 */
export async function createRl(
  service: JobService,
  sources: JobSources,
  chunks: AsyncIterable<Uint8Array>,
  requester: Requester,
): Promise<{ model: StoredModel; job: JobRow }> {
  const id = service.newId()
  const body = new GroupBody(service.threads, chunks)
  const first = await body.firstGroup()
  const find = () => service.model(modelIdOf(body.take('model_id')), requester.principal, 'write')
  // Clients send the model first; if it comes after the groups, they wait under INCOMING until then.
  const known = body.has('model_id') ? await find() : undefined
  const quota = known ? await service.admit(known) : service.callerQuota(requester.principal)
  let model = known
  try {
    let data = first && known && (await service.keep(known, id, body.groups(first), quota))
    const held = first && !known && (await service.hold(INCOMING, id, body.groups(first), quota))
    if (!model) {
      model = await find()
      quota.move(model.entity, await service.openBytes(model))
    }
    const source = body.take('training_data')
    if (source !== undefined && source !== null) {
      if (first) throw invalid(['training_data'], `Should be omitted with ${GROUPS}`)
      const from = validate(TrainingDataSource, source, 'body')
      // Without groups the body is read to its end.
      const lines = traced(sources.traceLines, from, 'rl', requester, Boolean(body.take('reward')))
      data = await service.keep(model, id, lines, quota)
    } else if (held) data = await service.move(INCOMING, held, model, id, quota, requester.signal)
    if (!data || data.data_count === 0) throw invalid([GROUPS], 'Should contain at least one group')
    const given = Object.keys(RlOptions.shape).map((name) => [name, body.take(name)])
    const { experimental_config: options, ...asked } = validate(RlOptions, Object.fromEntries(given), 'body')
    const guidance = await guidanceFor(sources.planScorers, model, asked, requester)
    const reference = await klReferenceOf(service, model, options, requester)
    const config = options ? JSON.stringify({ ...nodeOptions(options), ...reference }) : ''
    const made = {
      id,
      kind: 'rl',
      model,
      config,
      data,
      guidance,
      userId: requester.principal.userId,
    } as const
    const job = await service.add(made, requester.notes)
    return { model, job }
  } catch (error) {
    if (model) await service.drop(model.id, id)
    throw error
  } finally {
    quota.release()
    if (!known) await service.drop(INCOMING, id)
  }
}

/** The checkpoint that the options name, by name or by step. @throws 422 if the caller has none such */
async function klReferenceOf(
  { store }: JobService,
  model: StoredModel,
  options: z.output<typeof ExperimentalConfig> | null | undefined,
  { principal }: Requester,
): Promise<{ kl_reference: KlReference } | undefined> {
  const { kl_ref_adapter_path: name, kl_penalty_reference_step: step } = options ?? {}
  let checkpoint: StoredCheckpoint | undefined
  if (name) {
    const found = await namedCheckpoint(store, name)
    const field = ['experimental_config', 'kl_ref_adapter_path']
    if (!found || !principal.may('read', `${found.model.entity}/${found.model.project}`))
      throw invalid(
        field,
        'Should name a checkpoint stored here, such as artifact:///entity/project/name:step3',
      )
    if (found.model.base_model !== model.base_model)
      throw invalid(field, `Should name a checkpoint on ${model.base_model}, the base of this model`)
    checkpoint = found.checkpoint
  } else if (step) {
    // Step 0 is the base model.
    checkpoint = (await checkpointsAt(store, model, [step]))[0]
    if (!checkpoint)
      throw invalid(
        ['experimental_config', 'kl_penalty_reference_step'],
        `Should be the step of a checkpoint of this model; it has none of step ${step}`,
      )
  }
  return (
    checkpoint && {
      kl_reference: { address: checkpoint.address, manifest_sha256: checkpoint.manifest_sha256 },
    }
  )
}

/** Stores groups that are not trained on. @returns the stored lines, and the other fields */
export async function readGroups(
  threads: Threads,
  chunks: AsyncIterable<Uint8Array>,
  store: (lines: AsyncIterable<string>) => Promise<StoredLines>,
): Promise<{ stored: StoredLines | undefined; take: (field: string) => unknown }> {
  const body = new GroupBody(threads, chunks, false)
  const first = await body.firstGroup()
  const stored = first && (await store(body.groups(first)))
  return { stored, take: (field) => body.take(field) }
}

/** A body with trajectory groups, which can be read once, in order. */
class GroupBody {
  private readonly parts: AsyncGenerator<Part>
  private readonly values = new Map<string, unknown>()

  constructor(
    private readonly threads: Threads,
    chunks: AsyncIterable<Uint8Array>,
    private readonly trained = true,
  ) {
    this.parts = bodyParts(chunks, GROUPS, LIMITS)
  }

  /** Reads up to the first group. @returns undefined if the body has none and is read to its end */
  async firstGroup(): Promise<Part | undefined> {
    for (;;) {
      const { value, done } = await this.parts.next()
      if (done) return undefined
      if (value.index !== undefined) return value
      this.keep(value)
    }
  }

  /** The groups as JSON texts, each checked; reads to the end of the body. */
  async *groups(first: Part): AsyncGenerator<string> {
    yield await this.checked(first)
    for await (const part of this.parts) {
      if (part.index === undefined) this.keep(part)
      else yield await this.checked(part)
    }
  }

  has(field: string): boolean {
    return this.values.has(field)
  }

  take(field: string): unknown {
    return this.values.get(field)
  }

  private keep({ field, bytes }: Part): void {
    const value = parsed(bytes, [field])
    if (field === GROUPS && value !== null && !Array.isArray(value))
      throw invalid([GROUPS], 'Should be a list of groups')
    this.values.set(field, value)
  }

  private checked({ index = 0, bytes }: Part): Promise<string> {
    return this.threads.run('group', { bytes, index, trained: this.trained }, bytes.length)
  }
}

function modelIdOf(value: unknown): string {
  if (value === undefined) throw invalid(['model_id'], 'Field required')
  if (typeof value !== 'string' || value === '') throw invalid(['model_id'], 'Should be the id of a model')
  return value
}
