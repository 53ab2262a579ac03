/**
 * Reads a line of an input file, and writes the line of a result: those of OpenAI's batch interface. Pure. A line that
 * can't run has a result, too: it never fails the batch.
 */
import { problemBody } from '../../domain/chat/problem.js'
import { bufferOf } from '../../platform/bytes/buffer-of.js'
import { HeddleError } from '../../platform/errors/error.js'
import { parseJson } from '../../platform/http/json-body.js'
import { JsonError } from '../../platform/json/error.js'
import { rawFields } from '../../platform/json/fields.js'

import type { Answered } from './ask.js'
import { type LineRequest, readRequest } from './request.js'

const LONGEST_ID = 512
/** As for the body of a request. */
const LONGEST_LINE = 16 * 2 ** 20
const MOST_VALUES = 2 ** 19

/** Why a line has no answer: what the request would have been answered, or what is wrong with the line. */
export type Failure =
  | { kind: 'answer'; status: number; body: object }
  | { kind: 'line'; code: string; message: string }

/** A line of an input file. */
export interface InputLine {
  customId: string | null
  /** the request, and where its body is in the line */
  request?: { asked: LineRequest; from: number; to: number }
  failure?: Failure
}

export interface LineAsked {
  bytes: Uint8Array
  /** the path that the batch is for */
  endpoint: string
  /** the keys of reasoning tokens */
  secrets: readonly string[]
}

export function readLine({ bytes, endpoint, secrets }: LineAsked): InputLine {
  let customId: string | null = null
  const wrong = (code: string, message: string): InputLine => ({
    customId,
    failure: { kind: 'line', code, message },
  })
  try {
    if (bytes.length > LONGEST_LINE) return wrong('line_too_long', 'A line may have 16 MiB.')
    const line = parseJson(bytes, MOST_VALUES)
    if (typeof line !== 'object' || line === null || Array.isArray(line))
      return wrong('invalid_json_line', 'The line is not a JSON object.')
    const { custom_id: id, method, url } = line as Record<string, unknown>
    if (typeof id !== 'string' || id === '' || id.length > LONGEST_ID)
      return wrong('invalid_custom_id', `custom_id has to be a text of 1 to ${LONGEST_ID} characters.`)
    customId = id
    if (method !== 'POST') return wrong('invalid_method', 'method has to be POST.')
    if (url !== endpoint) return wrong('invalid_url', `url has to be ${endpoint}, as the batch says.`)
    const body = rawFields(bufferOf(bytes))?.get('body')
    if (!body || bytes[body.from] !== 0x7b) return wrong('invalid_body', 'body has to be a JSON object.')
    const { from, to } = body
    return {
      customId,
      request: { asked: readRequest(endpoint, bytes.subarray(from, to), secrets), from, to },
    }
  } catch (error) {
    if (error instanceof JsonError) return wrong('invalid_json_line', error.message)
    if (!(error instanceof HeddleError)) throw error
    if (customId === null) return wrong('invalid_json_line', error.reason)
    return { customId, failure: failureOf(error) }
  }
}

/** What the request would have been answered. */
export function failureOf(error: HeddleError): Failure {
  return { kind: 'answer', status: error.status, body: problemBody(error) }
}

/** A line of the output file. @param id of the request within its batch */
export function answerText(id: string, custom_id: string, answer: Answered): string {
  const head = JSON.stringify({ id, custom_id }).slice(0, -1)
  return `${head},"response":{"status_code":200,"request_id":${JSON.stringify(answer.id)},"body":${answer.body}},"error":null}`
}

/** A line of the errors file. @param line of the input file, from 1 */
export function failureText(id: string, customId: string | null, failure: Failure, line: number): string {
  if (failure.kind === 'line')
    return lineText(id, customId, null, { code: failure.code, message: failure.message, line })
  const { status, body } = failure
  return lineText(id, customId, { status_code: status, request_id: '', body }, null)
}

function lineText(
  id: string,
  custom_id: string | null,
  response: object | null,
  error: object | null,
): string {
  return JSON.stringify({ id, custom_id, response, error })
}
