/** Declaration of the route that makes images. */
import { z } from 'zod'
import { route } from '../platform/http/route.js'
import { flag, projectId, userIdIn } from './shared.js'

const Inputs = z
  .object({
    model: z.string().min(1).max(512).meta({
      description:
        'custom::<provider>::<model> or <provider>/<model>, after an object of the class Provider; or the id of a ProviderModel object',
    }),
    prompt: z.string().min(1).max(100_000),
    n: z.int().min(1).max(10).nullable().default(null).meta({ description: "default: the provider's" }),
  })
  .meta({ id: 'ImageGenerationRequestInputs' })
export type ImageInputs = z.output<typeof Inputs>

export const imageCreate = route({
  id: 'image_create',
  method: 'POST',
  path: '/image/create',
  tag: 'Images',
  summary: 'Make images with a model of a provider, keep them as files, and track it as a call',
  access: 'write',
  project: 'body',
  body: z
    .object({
      project_id: projectId,
      inputs: Inputs,
      track_llm_call: flag(true),
      platform_user_id: userIdIn,
    })
    .meta({ id: 'ImageGenerationCreateReq' }),
  answer: z
    .object({
      response: z.record(z.string(), z.unknown()).meta({
        description:
          "the provider's answer, where each of `data` has its image as a file under `image`; or {error: {code, message, status}} when the provider failed",
      }),
      weave_call_id: z.string().nullable().meta({ description: 'null: not tracked' }),
    })
    .meta({ id: 'ImageGenerationCreateRes' }),
})
