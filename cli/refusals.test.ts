/** Nobody has to know routes or fields of requests to understand what a command says. */
import { expect, it } from 'vitest'
import type { HeddleError } from '../platform/errors/error.js'
import { trainingProblems } from '../training-api/jobs/problems.js'
import { problems } from '../training-api/problem.js'
import { inCommands, inOptions } from './refusals.js'

const made = (all: object): [string, HeddleError][] =>
  Object.entries(all).map(([name, make]) => [
    name,
    (make as (...args: string[]) => HeddleError)('x', 'y', 'z'),
  ])

it.each([...made(problems), ...made(trainingProblems)])('%s names no route', (_, { reason }) => {
  expect(inCommands(reason)).not.toMatch(/(GET|POST|PUT|DELETE) \/|send the request/)
})

it.each<[path: string, said: string, route?: string]>([
  ['name', '--model', '/v1/preview/models'],
  ['name', 'name'],
  ['query.$expr.$and.0.$eq', '--filter: $eq'],
  ['training_data.calls.query.$expr.$and.0', '--query'],
  ['config.epochs', '--epochs'],
  ['config.epochs_and_more', 'config: epochs_and_more'],
  ['limit', '--limit'],
  ['batch.0.limit', 'batch: 0: limit'],
])('%s is %s', (path, said, route = '/') => expect(inOptions(path.split('.'), route).join(': ')).toBe(said))
