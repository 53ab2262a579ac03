/** Asks models for chat completions: providers' models, and this service's own through its chat queue. */

import type { Chat } from '../domain/chat/chat.js'
import { problems } from '../domain/chat/problem.js'
import type { EvaluationJob } from '../domain/evaluation/jobs.js'
import { type ModelPlan, modelsOf } from '../domain/evaluation/plan.js'
import { askBounds, askProvider } from '../domain/providers/ask.js'
import { ProviderFailure } from '../domain/providers/failure.js'
import type { ProviderModel, Providers } from '../domain/providers/provider.js'
import { HeddleError } from '../platform/errors/error.js'
import type { BodyBudget } from '../platform/http/budget.js'
import { type Grant, Principal } from '../platform/http/principal.js'
import { type JsonTree, parseTree, treeText } from '../platform/json/tree.js'
import { type SchemaCheck, schemaCheck } from '../platform/json-schema/check.js'
import type { Outbound } from '../platform/outbound/fetch.js'
import { outputOf, type Said, usageOf } from './answer.js'
import { Classifiers } from './classifiers.js'
import { RowFailure } from './failure.js'
import type { Remote } from './remote.js'
import { isAway, mayMend, Outage, withRetries } from './retry.js'

const MOST_BYTES = 8 << 20
/** How long a provider's object and key are cached. */
const REMEMBERED_MS = 30_000

export interface ModelParts {
  providers: Providers
  outbound: Outbound
  chat: Chat
  remote: Remote
  /** limits the bytes of answers held by all requests */
  held: BodyBudget
  /** timeout of one try */
  timeoutMs: number
  tries: number
  /** how long an unavailable model is retried, counted from its first failure */
  patienceMs: number
}

/** The models of one job. */
export class Models {
  private readonly targets = new Map<string, { at: number; target: Promise<ProviderModel> }>()
  private readonly checks = new Map<string, SchemaCheck>()
  private readonly outages = new Map<string, Outage>()
  private readonly principal: Principal

  constructor(
    private readonly parts: ModelParts,
    private readonly job: Pick<EvaluationJob, 'project' | 'userId' | 'username' | 'plan'>,
    /** told of each model, or scorer of a user, that is away and waited for */
    private readonly told: (note: string) => void = () => undefined,
  ) {
    this.principal = principalOf(job)
  }

  /** Those that are asked about together. */
  readonly classifiers = new Classifiers((rule, messages, signal) => this.ask(rule.model, messages, signal))

  /** The scorers that users run. */
  get remote(): Remote {
    return this.parts.remote
  }

  /** Asks the model to answer `messages`. @throws RowFailure, and the abort reason of `signal` */
  async ask(plan: ModelPlan, messages: readonly JsonTree[], signal: AbortSignal): Promise<Said> {
    if (messages.length === 0)
      throw new RowFailure(
        'NO_MESSAGES',
        'There are no messages to send: the model has none, and the row has no user_input.',
      )
    const { answer, model } = await this.answer(plan, messages, signal)
    const usage = usageOf(answer)
    try {
      return { output: outputOf(answer, plan, this.checkOf(plan)), model, usage }
    } catch (error) {
      if (error instanceof RowFailure) error.usage = { [model]: usage }
      throw error
    }
  }

  private async answer(
    plan: ModelPlan,
    messages: readonly JsonTree[],
    signal: AbortSignal,
  ): Promise<{ answer: JsonTree; model: string }> {
    const ask = async () => {
      if (plan.at === 'service') {
        const answer = await this.served(plan, bodyOf(plan, plan.name, messages), signal)
        return { answer, model: plan.name }
      }
      const target = await this.target(plan)
      return {
        answer: await this.provided(target, bodyOf(plan, target.model, messages), signal),
        model: target.model,
      }
    }
    try {
      return await this.patiently(plan.name, signal, ask)
    } catch (error) {
      signal.throwIfAborted()
      if (isAway(error)) throw error
      if (error instanceof ProviderFailure || error instanceof HeddleError)
        throw new RowFailure(error.code, error.message, undefined, mayMend(error))
      throw error
    }
  }

  private async served(plan: ModelPlan, body: string, signal: AbortSignal): Promise<JsonTree> {
    try {
      const answer = await this.parts.chat.complete(Buffer.from(body), this.principal, signal)
      return parseTree(JSON.stringify(answer))
    } catch (error) {
      // A base model was served when the run was requested; it is unknown now because its nodes are down.
      const forgotten = error instanceof HeddleError && error.code === 'UNKNOWN_MODEL'
      throw forgotten && plan.reads.length === 0 ? problems.noNode(plan.name) : error
    }
  }

  /** Does what asks something of this name, and again while that is away or busy. @throws the last failure */
  patiently<T>(name: string, signal: AbortSignal, ask: () => Promise<T>): Promise<T> {
    const { tries, patienceMs } = this.parts
    let outage = this.outages.get(name)
    if (!outage) {
      const until = `It is asked again for up to ${Math.ceil(patienceMs / 60_000)} minutes.`
      const told = ({ message }: Error) => this.told(`${name} is busy or away: ${message} ${until}`)
      outage = new Outage(patienceMs, undefined, told)
      this.outages.set(name, outage)
    }
    return withRetries(tries, outage, signal, ask)
  }

  private async provided(target: ProviderModel, body: string, signal: AbortSignal): Promise<JsonTree> {
    const options = askBounds(this.parts, MOST_BYTES, signal)
    try {
      return await askProvider(this.parts.outbound, target, '/chat/completions', body, options)
    } finally {
      options.release()
    }
  }

  private target(plan: ModelPlan): Promise<ProviderModel> {
    const now = performance.now()
    const known = this.targets.get(plan.name)
    if (known && now - known.at < REMEMBERED_MS) return known.target
    const target = this.parts.providers.find(this.job.project, plan.name)
    this.targets.set(plan.name, { at: now, target })
    target.catch(() => this.targets.delete(plan.name))
    return target
  }

  private checkOf({ schema }: ModelPlan): SchemaCheck | undefined {
    if (schema === null) return undefined
    let check = this.checks.get(schema)
    if (!check) {
      check = schemaCheck(schema)
      this.checks.set(schema, check)
    }
    return check
  }
}

/** The user who requested the job, with the right only to read its project and the projects of its models. */
function principalOf({
  project,
  userId,
  username,
  plan,
}: Pick<EvaluationJob, 'project' | 'userId' | 'username' | 'plan'>) {
  const scopes = new Set([project, ...modelsOf(plan).flatMap(({ reads }) => reads)])
  const grants = [...scopes].map((scope): Grant => ({ scope, right: 'read' }))
  return new Principal(userId, username, grants, `evaluations-of-${userId}`)
}

function bodyOf(plan: ModelPlan, model: string, messages: readonly JsonTree[]): string {
  const { format, schema, params } = plan
  const shape =
    schema === null
      ? '{"type":"json_object"}'
      : `{"type":"json_schema","json_schema":{"name":"answer","schema":${schema}}}`
  const fields = [
    `"model":${JSON.stringify(model)}`,
    `"messages":${treeText([...messages])}`,
    ...(format === 'json' ? [`"response_format":${shape}`] : []),
    ...Object.entries(params).map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`),
  ]
  return `{${fields.join(',')}}`
}
