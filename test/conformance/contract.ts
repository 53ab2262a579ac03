/**
 * Judges answers by the schemas that the contract gives. `contract.json` holds them as published, for every
 * operation; the server's own description is not asked.
 */
import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect } from 'vitest'
import type { Answer } from '../support/api.js'
import contract from './contract.json' with { type: 'json' }

const ajv = new Ajv2020({
  strict: false,
  allErrors: true,
  formats: { 'date-time': /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{6})?Z$/ },
})
ajv.addSchema(contract, 'contract')

/** Every operation of the contract, as `METHOD /path`. */
export const operationsOfContract: readonly string[] = Object.keys(contract.answers)

/** What is wrong with a JSON answer (or one line of it) of `METHOD /path`; empty where nothing is. */
export function faultsOfAnswer(operation: string, answer: unknown): unknown[] {
  const key = operation.replaceAll('~', '~0').replaceAll('/', '~1')
  const escaped = key.replaceAll('{', '%7B').replaceAll('}', '%7D').replaceAll(' ', '%20')
  return faults(`answers/${escaped}`, answer)
}

/** What is wrong with a value by one of the contract's named schemas. */
export function faultsOf(schema: string, value: unknown): unknown[] {
  return faults(`components/schemas/${schema}`, value)
}

/** The names of the fields of a schema. */
export function fieldsOf(schema: keyof typeof contract.components.schemas): string[] {
  const { properties = {} } = contract.components.schemas[schema] as { properties?: object }
  return Object.keys(properties)
}

function faults(pointer: string, value: unknown): unknown[] {
  const reference = `contract#/${pointer}`
  const validate = ajv.getSchema(reference) ?? ajv.compile({ $ref: reference })
  return validate(value) ? [] : [...(validate.errors ?? [])]
}

/** An answer is a success, or a refusal as contract §11 has it. @param what is shown if it is neither */
export function checkAnswer(what: unknown, { status, text, headers }: Answer): void {
  const shown = [JSON.stringify(what)?.slice(0, 300), status, text.slice(0, 300)]
  expect([status < 500, ...shown]).toEqual([true, ...shown])
  if (status < 400) return
  expect(String(headers['content-type'])).toMatch(/^application\/json/)
  const body = JSON.parse(text) as { reason?: unknown; detail?: unknown }
  if (body.detail === undefined) expect([typeof body.reason, ...shown]).toEqual(['string', ...shown])
  else expect([status, faultsOf('HTTPValidationError', body)]).toEqual([422, []])
}
