import { describe, expect, it } from 'vitest'
import { ConfigError } from '../platform/config/read.js'
import { errors } from '../platform/errors/catalog.js'
import { CommandError, failure } from './command.js'
import { report } from './doctor/doctor.js'
import { program } from './program.js'
import { progressLine } from './progress.js'
import { firstScreen } from './up/first-screen.js'

describe('the first screen', () => {
  const facts = {
    version: '1.2.3',
    url: 'http://127.0.0.1:8080',
    code: 'hk_once',
    metricsUrl: 'http://127.0.0.1:9464',
    otlpGrpcUrl: 'http://127.0.0.1:4317',
    chatUrl: 'http://127.0.0.1:8081',
    chatLater: true,
    chatMissing: undefined,
    key: 'hk_example',
    keyFile: 'data/dev-api-key',
    store: 'data',
    demo: 'heddle demo',
    terminal: true,
  }
  it('is short and can be pasted from', () => {
    const screen = firstScreen(facts)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the colours of a terminal
    expect(screen.replaceAll(/\u001b\[\d+m/g, '')).toMatchSnapshot()
    expect(screen.split('\n').length).toBeLessThan(28)
  })
  it.each([
    ['data/dev-api-key', `WANDB_API_KEY="$(cat 'data/dev-api-key')"`],
    [undefined, 'WANDB_API_KEY="$HEDDLE_DEV_API_KEY"'],
  ])('shows no key in a log; kept in %j', (keyFile, text) => {
    const screen = firstScreen({ ...facts, keyFile, terminal: false })
    expect(screen).not.toContain(facts.key)
    expect(screen).not.toContain(facts.code)
    expect(screen).toContain(text)
  })
})

const everyCommand = [program()].flatMap((heddle) => [
  ...[heddle, ...heddle.commands],
  ...heddle.commands.flatMap(({ commands }) => commands),
])

it('the help of every command is as it is', () => {
  for (const command of everyCommand) expect(command.helpInformation()).toMatchSnapshot(command.name())
})

it('every command that lists, shows or publishes something says so as JSON, too', () => {
  const showing = everyCommand.filter(
    (one) =>
      one.commands.length === 0 && /^(list|show|check|publish|open|add feedback)\b/.test(one.description()),
  )
  expect(showing.map((one) => one.name()).sort()).toEqual(
    expect.arrayContaining(['call', 'calls', 'doctor', 'list', 'list', 'list', 'projects', 'show', 'show']),
  )
  for (const command of showing)
    expect([command.name(), command.options.map(({ long }) => long)]).toEqual([
      command.name(),
      expect.arrayContaining(['--json']),
    ])
})

it('the doctor names what is wrong and what to do', () => {
  const findings = [
    { name: 'runtime', state: 'ok', text: 'Node.js v20.20.2, glibc 2.36' },
    { name: 'tmpfs', state: 'warn', text: '/dev/shm, 64 MiB free', todo: 'raise it' },
    { name: 'port', state: 'fail', text: '8080 is taken', todo: 'set HEDDLE_PORT' },
  ] as const
  expect(report(findings, false)).toMatchInlineSnapshot(`
    "ok    runtime  Node.js v20.20.2, glibc 2.36
    warn  tmpfs    /dev/shm, 64 MiB free
                   → raise it
    FAIL  port     8080 is taken
                   → set HEDDLE_PORT
    "
  `)
})

it.each([
  [0, 100, '[........................] 0 of 100 calls, 0 %'],
  [1234, 4936, '[######..................] 1,234 of 4,936 calls, 25 %'],
  [101, 100, '[########################] 101 of 100 calls, 100 %'],
  [7, 0, '7 calls'],
])('progress: %d of %d', (count, total, line) => {
  expect(progressLine('calls', count, total)).toBe(line)
})

describe('a failure', () => {
  it.each([
    ['bad configuration', new ConfigError(['A is 1.', 'B is 2.']), 2, 'heddle: A is 1.\nheddle: B is 2.'],
    ['what a person can put right', new CommandError('start it first'), 1, 'heddle: start it first'],
    [
      'a store that is away',
      errors.unavailable(new Error('connect ECONNREFUSED')),
      1,
      'heddle: connect ECONNREFUSED',
    ],
    ['anything', new Error('one', { cause: new Error('two') }), 1, 'heddle: one: two'],
    ['no error at all', 'text', 1, 'heddle: text'],
  ])('%s', (_, error, status, text) => {
    expect(failure(error)).toEqual({ status, text })
  })
})
