/** Operations of Langfuse's SDKs, beyond the contract's list. The user name of each request is its project. */
import { expect } from 'vitest'
import { json, operation } from './operation.js'

export const langfuse = [
  operation('GET', '/api/public/health', 'public', () => ({
    valid: {},
    effect: (answer) => expect(json(answer).status).toBe('OK'),
    invalid: [{ why: 'another method', method: 'DELETE', status: 405 }],
  })),
  operation('GET', '/api/public/projects', 'read', ({ project }) => ({
    valid: {},
    effect: (answer) => expect(json(answer)).toMatchObject({ data: [{ id: project }] }),
    invalid: [{ why: 'another method', method: 'DELETE', status: 405 }],
  })),
]
