/** The images in the answer of an OpenAI-compatible images endpoint, and what is answered in their place. Pure. */

import { ProviderFailure } from '../../domain/providers/failure.js'
import { type UsageCounts, usageCounts } from '../../domain/providers/usage.js'
import type { JsonTree } from '../../platform/json/tree.js'

/** Where an image is: here, or at an address. */
export type Source = { bytes: Uint8Array } | { url: string }

const DATA_URL = /^data:[^,]*;base64,/i
const BASE64 = /^[A-Za-z0-9+/_-]*={0,2}\s*$/

/** The images that `answer` lists, in order. @throws ProviderFailure `PROVIDER_BAD_ANSWER` */
export function imageSources(answer: JsonTree, most: number): Source[] {
  const data = answer instanceof Map ? answer.get('data') : undefined
  if (!Array.isArray(data) || data.length === 0) throw bad('has no list of images under "data"')
  if (data.length > most) throw bad(`has ${data.length} images where ${most} were asked for`)
  return data.map((item, i) => {
    const [inline, url] = item instanceof Map ? [item.get('b64_json'), item.get('url')] : []
    if (typeof inline === 'string' && inline !== '') return { bytes: decoded(inline, i) }
    if (typeof url !== 'string' || url === '') throw bad(`has neither b64_json nor url in data.${i}`)
    return DATA_URL.test(url) ? { bytes: decoded(url.replace(DATA_URL, ''), i) } : { url }
  })
}

/** `answer` with each image's file in place of the image. @param files as many as there are images */
export function withFiles(answer: JsonTree, files: readonly JsonTree[]): JsonTree {
  const fields = new Map(answer as Map<string, JsonTree>)
  const data = (fields.get('data') as JsonTree[]).map((item, i) => {
    const kept = [...(item as Map<string, JsonTree>)].filter(([key]) => key !== 'b64_json' && key !== 'url')
    return new Map([...kept, ['image', files[i]!]])
  })
  return fields.set('data', data)
}

/** What `answer` says that it used. */
export function usageOf(answer: JsonTree): UsageCounts {
  const usage = answer instanceof Map ? answer.get('usage') : undefined
  return usageCounts((name) => (usage instanceof Map ? usage.get(name) : undefined))
}

/** Says what is wrong with an answer. */
export function bad(what: string): ProviderFailure {
  return new ProviderFailure('PROVIDER_BAD_ANSWER', `The provider's answer ${what}.`)
}

function decoded(text: string, i: number): Uint8Array {
  if (!BASE64.test(text)) throw bad(`is not base64 in data.${i}`)
  return Buffer.from(text, 'base64')
}
