/**
 * Makes images: asks the provider, keeps what comes as files, and writes down the call, whether it went well or not.
 */

import type { ImageInputs } from '../../contract/images.js'
import { type FinishedCall, recordCalls } from '../../domain/calls/record.js'
import { type AskOptions, askBounds, askProvider, fetchResult } from '../../domain/providers/ask.js'
import { ProviderFailure } from '../../domain/providers/failure.js'
import type { ProviderModel } from '../../domain/providers/provider.js'
import { projectIdOf } from '../../platform/ids/project.js'
import { uuid7 } from '../../platform/ids/uuid7.js'
import { imageKind } from '../../platform/images/kind.js'
import { type JsonTree, treeText } from '../../platform/json/tree.js'
import { nowMicros } from '../../platform/time/iso.js'
import type { Parts } from '../parts.js'
import { contentOf } from './content.js'
import { bad, imageSources, type Source, usageOf, withFiles } from './results.js'

const OP = 'weave.image_generation_create'
/** Most images of an answer where it was not said how many. */
const MOST = 10
/** Of a provider's answer, or of one image at an address. */
const MOST_BYTES = 32 << 20

export interface ImageRequest {
  project: string
  userId: string
  inputs: ImageInputs
  track: boolean
  signal: AbortSignal
}

/** JSON text of the answer, the id of the call, and whether the provider made nothing. */
export interface Made {
  response: string
  callId: string | null
  failed: boolean
}

export class ImageMaker {
  constructor(private readonly parts: Parts) {}

  /** @throws `NO_PROVIDER`, `BAD_PROVIDER`, `NO_SECRET`: nothing was asked and no call is written */
  async make(request: ImageRequest): Promise<Made> {
    const provider = await this.parts.providers.find(request.project, request.inputs.model)
    const startedAt = nowMicros()
    const made = await this.ask(request, provider)
    const call = { ...made, startedAt, endedAt: nowMicros() }
    const callId = request.track ? await this.track(request, provider, call) : null
    return { response: made.output, callId, failed: made.exception !== undefined }
  }

  /** Never throws for what the provider does. */
  private async ask(
    { project, inputs, signal }: ImageRequest,
    provider: ProviderModel,
  ): Promise<Pick<FinishedCall, 'output' | 'exception' | 'summary'>> {
    const options = askBounds(this.parts, MOST_BYTES, signal)
    try {
      const { prompt, n } = inputs
      const body = JSON.stringify({ model: provider.model, prompt, ...(n !== null && { n }) })
      const answer = await askProvider(this.parts.outbound, provider, '/images/generations', body, options)
      const sources = imageSources(answer, n ?? MOST)
      const files = await this.keep(project, sources, provider, options)
      const summary = { usage: { [provider.model]: usageOf(answer) } }
      return { output: treeText(withFiles(answer, files)), summary: JSON.stringify(summary) }
    } catch (error) {
      if (!(error instanceof ProviderFailure)) throw error
      const exception = `${error.code}: ${error.message}`
      return { output: JSON.stringify({ error: error.body() }), exception, summary: '{}' }
    } finally {
      options.release()
    }
  }

  /** Stores the images and returns the values that stand for them. One after the other: they may be large. */
  private async keep(
    project: string,
    sources: readonly Source[],
    { secrets }: ProviderModel,
    options: AskOptions,
  ): Promise<JsonTree[]> {
    const { outbound, files } = this.parts
    const values: JsonTree[] = []
    for (const [i, source] of sources.entries()) {
      const image =
        'bytes' in source ? source.bytes : await fetchResult(outbound, source.url, secrets, options)
      const kind = imageKind(image)
      if (!kind) throw bad(`has no image that is known in data.${i}`)
      const content = contentOf(image, kind)
      await Promise.all(content.files.map((file) => files.write({ ...file, project: projectIdOf(project) })))
      values.push(content.value)
    }
    return values
  }

  private async track(
    { project, userId, inputs }: ImageRequest,
    { provider, model }: ProviderModel,
    call: Pick<FinishedCall, 'output' | 'exception' | 'summary' | 'startedAt' | 'endedAt'>,
  ): Promise<string> {
    const id = uuid7()
    const { n, ...rest } = inputs
    await recordCalls(this.parts.store, [
      {
        ...call,
        project,
        id,
        traceId: uuid7(),
        opName: OP,
        inputs: JSON.stringify(n === null ? rest : { ...rest, n }),
        attributes: JSON.stringify({ provider, model }),
        userId,
      },
    ])
    return id
  }
}
