import { z } from 'zod'
import { route } from '../platform/http/route.js'
import { component, flag, orNull, projectId, userIdIn, writeInBody } from './shared.js'

const Inputs = component('ImageGenerationRequestInputs', {
  model: z
    .string()
    .min(1)
    .max(512)
    .describe(
      'custom::<provider>::<model> or <provider>/<model> of a Provider object, or the id of a ProviderModel object',
    ),
  prompt: z.string().min(1).max(100_000),
  n: orNull(z.int().min(1).max(10)).describe("default: the provider's"),
})
export type ImageInputs = z.output<typeof Inputs>

export const imageCreate = route({
  ...writeInBody,
  id: 'image_create',
  path: '/image/create',
  tag: 'Images',
  summary: "Generate images with a provider's model, store them as files, and log it as a call",
  body: component('ImageGenerationCreateReq', {
    project_id: projectId,
    inputs: Inputs,
    track_llm_call: flag(true),
    platform_user_id: userIdIn,
  }),
  answer: component('ImageGenerationCreateRes', {
    response: z
      .record(z.string(), z.unknown())
      .describe(
        "the provider's answer, with the stored file of each image under `data[].image`; or {error: {code, message, status}} if the provider failed",
      ),
    weave_call_id: z.string().nullable().describe('null: not logged'),
  }),
})
