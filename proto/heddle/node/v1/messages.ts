/**
 * The messages of `node.proto` as TypeScript sees them, and their encoding. The file itself is read when this is
 * loaded, so there is nothing to generate; a test holds the types and the file together.
 */
import { type Codec, codecsOf } from './codec.js'

export type { Codec }

/** What is asked of a node. 64-bit numbers are decimal text, so that no digit is lost. */
export interface GenerateRequest {
  requestId: string
  adapterId?: string
  chat?: ChatPrompt
  tokens?: { tokenIds: number[] }
  text?: { text: string; addSpecialTokens?: boolean }
  truncatePromptTokens?: string
  sampling?: Sampling
  stopping?: Stopping
  structure?: Structure
  reporting?: Reporting
  priority?: number
  cacheSalt?: string
  stream?: boolean
  kvTransferParamsJson?: string
  backendXargsJson?: string
  countOnly?: boolean
}

export interface ChatPrompt {
  messagesJson: string
  toolsJson?: string
  toolChoice?: number
  toolName?: string
  parallelToolCalls?: boolean
  documentsJson?: string
  chatTemplate?: string
  chatTemplateKwargsJson?: string
  addGenerationPrompt?: boolean
  continueFinalMessage?: boolean
  addSpecialTokens?: boolean
  echo?: boolean
  reasoningEffort?: string
  includeReasoning?: boolean
  mmProcessorKwargsJson?: string
  images?: { data: Uint8Array }[]
}

/** Texts to make vectors of. */
export interface EmbedRequest {
  requestId: string
  inputs: EmbedInput[]
  dimensions?: number
  priority?: number
  cacheSalt?: string
}

export type EmbedInput = Pick<GenerateRequest, 'text' | 'tokens'>

export const TOOL_CHOICE = { none: 1, auto: 2, required: 3, function: 4 } as const

export interface Sampling {
  temperature?: number
  topP?: number
  topK?: number
  minP?: number
  frequencyPenalty?: number
  presencePenalty?: number
  repetitionPenalty?: number
  logitBias?: Record<string, number>
  seed?: string
  n?: number
  useBeamSearch?: boolean
  lengthPenalty?: number
  allowedTokenIds?: { tokenIds: number[] }
  badWords?: string[]
}

export interface Stopping {
  maxTokens?: string
  minTokens?: string
  stop?: string[]
  stopTokenIds?: number[]
  includeStopStrInOutput?: boolean
  ignoreEos?: boolean
  repetitionDetection?: { maxPatternSize?: number; minPatternSize?: number; minCount?: number }
}

export interface Structure {
  json?: string
  regex?: string
  choice?: { values: string[] }
  grammar?: string
  jsonObject?: boolean
  structuralTag?: string
  disableFallback?: boolean
  disableAnyWhitespace?: boolean
  disableAdditionalProperties?: boolean
  whitespacePattern?: string
  backend?: string
  backendWasAuto?: boolean
}

export interface Reporting {
  logprobs?: boolean
  topLogprobs?: number
  promptLogprobs?: number
  returnTokensAsTokenIds?: boolean
  promptTokenIds?: boolean
  skipSpecialTokens?: boolean
  spacesBetweenSpecialTokens?: boolean
  promptText?: boolean
}

/** One event of a stream; `event` names the one field that is there. */
export interface GenerateEvent {
  event?: 'started' | 'delta' | 'done' | 'error' | 'embedding'
  started?: Started | null
  delta?: Delta | null
  done?: Done | null
  error?: NodeError | null
  embedding?: Embedding | null
}

export interface Embedding {
  index: number
  /** 32-bit floats, little-endian */
  values: Uint8Array
}

export interface Started {
  promptTokens: number
  cachedTokens: number
  promptTokenIds: number[]
  queueMs: number
  /** of the answer; empty, from older nodes: assistant */
  role: string
  /** if asked for; empty, from older nodes */
  promptText: string
  /** of the token ids, if the prompt's were asked for; empty, from older nodes */
  vocabulary: string
}

export interface Delta {
  index: number
  text: string
  reasoning: string
  toolCalls: ToolCallDelta[]
  tokenIds: number[]
  logprobs: TokenLogprob[]
  finish?: Finish | null
}

export interface ToolCallDelta {
  index: number
  id: string
  name: string
  arguments: string
}

export interface Finish {
  reason: string
  /** which of the two is there */
  stopReason?: 'stop' | 'stopTokenId'
  stop?: string | null
  stopTokenId?: number | null
}

export interface TokenLogprob {
  tokenId: number
  token: string
  logprob: number
  bytes: Uint8Array
  rank: number
  top: TokenLogprob[]
}

export interface Done {
  usage?: Usage | null
  promptLogprobs: { tokens: TokenLogprob[] }[]
  firstTokenMs: number
  totalMs: number
}

export interface Usage {
  promptTokens: number
  completionTokens: number
  cachedTokens: number
  reasoningTokens: number
}

export interface NodeError {
  code: string
  status: number
  message: string
  retriable: boolean
  /** of the HTTP interface; empty: none is at fault */
  field: string
}

/** Many requests in one call; their requests and events stay bytes to it. */
export interface TogetherRequest {
  begin?: { number: number; request: Uint8Array }[]
  cancel?: number[]
  hold?: number[]
  resume?: number[]
}

export interface TogetherEvents {
  events: { number: number; event: Buffer }[]
}

export interface Adapter {
  adapterId: string
  address: string
  rank: number
  scaling: number
  bytes: number
  requests: number
  lastUsed: number
}

export interface NodeInfo {
  nodeId: string
  model: string
  engine: string
  engineVersion: string
  device: string
  dtype: string
  contextLength: number
  vocabulary: number
  parameters: number
  slots: number
  cacheTokens: number
  queueLimit: number
  maxAdapters: number
  maxAdapterRank: number
  priorityScheduling: boolean
  unsupportedFields: string[]
  extensions: string[]
  images: boolean
  toolParser: string
  reasoningParser: string
  /** it answers many requests in one call */
  together: boolean
  /** it makes embeddings, and doesn't generate */
  embeds: boolean
  embeddingDimensions: number
}

export const NODE_STATE = { unspecified: 0, serving: 1, draining: 2, unhealthy: 3 } as const

export interface LoadReport {
  state: number
  running: number
  waiting: number
  freeSlots: number
  freeCacheTokens: number
  generatedTokensPerSecond: number
  promptTokensPerSecond: number
  adapterIds: string[]
  requestsTotal: number
  generatedTokensTotal: number
  promptTokensTotal: number
  cachedTokensTotal: number
  shedTotal: number
  memoryBytes: number
  /** a training job has the device: requests wait until it ends */
  servingPaused: boolean
}

const codec = codecsOf('node.proto')

export const generateRequest = codec<GenerateRequest>('GenerateRequest')
export const embedRequest = codec<EmbedRequest>('EmbedRequest')
export const generateEvent = codec<GenerateEvent>('GenerateEvent')
export const togetherRequest = codec<TogetherRequest>('TogetherRequest')
export const togetherEvents = codec<TogetherEvents>('TogetherEvents')
export const abortRequest = codec<{ requestId: string }>('AbortRequest')
export const abortResponse = codec<{ found: boolean }>('AbortResponse')
export const wakeRequest = codec<object>('WakeRequest')
export const wakeResponse = codec<object>('WakeResponse')
export const loadAdapterRequest = codec<{ adapterId: string; address: string; manifestSha256?: string }>(
  'LoadAdapterRequest',
)
export const loadAdapterResponse = codec<{ adapter?: Adapter | null; loaded: boolean }>('LoadAdapterResponse')
export const healthRequest = codec<Record<string, never>>('HealthRequest')
export const healthResponse = codec<{ tokenId: number; latencyMs: number }>('HealthResponse')
export const infoRequest = codec<Record<string, never>>('InfoRequest')
export const infoResponse = codec<NodeInfo>('InfoResponse')
export const watchLoadRequest = codec<{ intervalMs?: number }>('WatchLoadRequest')
export const loadReport = codec<LoadReport>('LoadReport')

/** The first byte of an event, which tells what it is without decoding it. */
export const EVENT_TAG = { started: 0x0a, delta: 0x12, done: 0x1a, error: 0x22, embedding: 0x2a } as const
