import { describe, expect, it } from 'vitest'
import { docsTable, helpText } from './describe.js'
import { ConfigError, readConfig, unknownVariables } from './read.js'
import {
  bytes,
  choice,
  count,
  flag,
  fraction,
  optional,
  port,
  ranges,
  required,
  seconds,
  text,
  url,
} from './setting.js'
import { processes } from './settings.js'

const doc = 'What it is for.'
const settings = {
  port: port({ variable: 'HEDDLE_PORT', fallback: 8080, doc }),
  threads: count({ variable: 'HEDDLE_THREADS', fallback: 1, min: 1, max: 8, doc }),
  part: fraction({ variable: 'HEDDLE_PART', fallback: 1, doc }),
  wait: seconds({ variable: 'HEDDLE_WAIT', fallback: 20, min: 0, max: 60, doc }),
  memory: bytes({ variable: 'HEDDLE_MEMORY', fallback: '64MiB', min: 1024, doc }),
  level: choice({ variable: 'HEDDLE_LEVEL', fallback: 'info', values: ['info', 'warn'], doc }),
  sync: flag({ variable: 'HEDDLE_SYNC', fallback: true, doc }),
  name: text({ variable: 'HEDDLE_NAME', formerly: 'HEDDLE_TITLE', fallback: 'one', doc }),
  key: optional({
    variable: 'HEDDLE_KEY',
    secret: true,
    pattern: /^\w{4,}$/,
    must: '4 letters or more',
    doc,
  }),
  store: url({ variable: 'STORE_URL', doc }),
  nets: ranges({ variable: 'HEDDLE_NETS', doc }),
}

function problems(env: Record<string, string>): readonly string[] {
  try {
    readConfig(settings, env)
    return []
  } catch (error) {
    return (error as ConfigError).problems
  }
}

describe('values', () => {
  it('are the defaults where nothing is set, or set to nothing', () => {
    const defaults = {
      port: 8080,
      threads: 1,
      wait: 20,
      memory: 64 * 2 ** 20,
      level: 'info',
      sync: true,
      name: 'one',
      key: undefined,
      store: undefined,
      nets: undefined,
      part: 1,
    }
    expect(readConfig(settings, {})).toEqual(defaults)
    expect(readConfig(settings, { HEDDLE_PORT: '', HEDDLE_KEY: ' ' })).toEqual(defaults)
  })

  it.each([
    ['HEDDLE_PORT', '0', 'port', 0],
    ['HEDDLE_MEMORY', '1.5GB', 'memory', 1.5e9],
    ['HEDDLE_MEMORY', '2 gib', 'memory', 2 ** 31],
    ['HEDDLE_MEMORY', '4096', 'memory', 4096],
    ['HEDDLE_LEVEL', 'WARN', 'level', 'warn'],
    ['HEDDLE_SYNC', 'no', 'sync', false],
    ['HEDDLE_NETS', '10.0.0.0/8, ::1', 'nets', ['10.0.0.0/8', '::1']],
    ['STORE_URL', 'https://store.example:8443', 'store', 'https://store.example:8443'],
  ])('%s=%s', (variable, value, name, expected) => {
    expect(readConfig(settings, { [variable]: value })).toHaveProperty(name, expected)
  })

  it.each([
    ['HEDDLE_PORT', '65536', 'a port: a whole number from 0 to 65535'],
    ['HEDDLE_PORT', '1e3', 'a port: a whole number from 0 to 65535'],
    ['HEDDLE_THREADS', '0', 'a whole number from 1 to 8'],
    ['HEDDLE_PART', '1.1', 'a number from 0 to 1'],
    ['HEDDLE_PART', '-0.5', 'a number from 0 to 1'],
    ['HEDDLE_WAIT', '-1', 'a whole number of seconds from 0 to 60'],
    ['HEDDLE_MEMORY', '64M', 'a size such as 64MiB or 2GB, at least 1024 bytes'],
    ['HEDDLE_MEMORY', '1', 'a size such as 64MiB or 2GB, at least 1024 bytes'],
    ['HEDDLE_LEVEL', 'loud', 'one of info, warn'],
    ['HEDDLE_SYNC', 'maybe', 'true or false'],
    [
      'HEDDLE_NETS',
      '10.0.0.0/8,all',
      'address ranges separated by commas, such as 10.0.0.0/8, 127.0.0.1 or fd00::/8',
    ],
    ['STORE_URL', 'store:8123', 'an address such as http://127.0.0.1:8123, without a user or password in it'],
    [
      'STORE_URL',
      'http://u:p@store',
      'an address such as http://127.0.0.1:8123, without a user or password in it',
    ],
  ])('%s=%s is a clear sentence', (variable, value, must) => {
    expect(problems({ [variable]: value })).toEqual([`${variable} is "${value}"; it must be ${must}.`])
  })

  it('have a variable of an earlier name, too', () => {
    expect(readConfig(settings, { HEDDLE_TITLE: 'old' }).name).toBe('old')
    expect(readConfig(settings, { HEDDLE_TITLE: 'old', HEDDLE_NAME: 'new' }).name).toBe('new')
  })

  it('that are secret are not shown', () => {
    expect(problems({ HEDDLE_KEY: 'abc' })).toEqual([
      'HEDDLE_KEY has an invalid value; it must be 4 letters or more.',
    ])
  })

  it('that are wrong are all named at once', () => {
    expect(problems({ HEDDLE_PORT: 'x', HEDDLE_SYNC: 'x' })).toHaveLength(2)
  })

  it('that are required must be there', () => {
    const must = { store: required(settings.store) }
    expect(() => readConfig(must, {})).toThrow(
      new ConfigError(['STORE_URL is not set; it must be an address.']),
    )
  })
})

it('says what a misspelt variable may have meant', () => {
  const env = { HEDDLE_PROT: '1', HEDDLE_SOMETHING_ELSE: '1', HEDDLE_PORT: '1', HEDDLE_TITLE: '', PATH: '' }
  expect(unknownVariables([settings], env)).toEqual([
    { variable: 'HEDDLE_PROT', meant: 'HEDDLE_PORT' },
    { variable: 'HEDDLE_SOMETHING_ELSE', meant: '' },
  ])
})

describe('every process', () => {
  it.each(Object.entries(processes))('%s starts with defaults and what it requires', (_, settings) => {
    const needed = Object.values(settings).filter((one) => one.required)
    const scheme = (variable: string) => (variable === 'REDIS_URL' ? 'redis' : 'http')
    const env = Object.fromEntries(
      needed.map(({ variable }) => [variable, `${scheme(variable)}://127.0.0.1:8123`]),
    )
    expect(() => readConfig(settings, env)).not.toThrow()
  })

  it('is documented by its schema', () => {
    expect(helpText(processes.up)).toMatchSnapshot()
    const readBy = (variable: string) => (variable === 'STORE_URL' ? 'ingest (required)' : 'every role')
    expect(docsTable([settings.port, required(settings.store)], readBy)).toMatchInlineSnapshot(`
      "| Variable | Value | Default | | Read by |
      |---|---|---|---|---|
      | \`HEDDLE_PORT\` | port | \`8080\` | What it is for. | every role |
      | \`STORE_URL\` | address |  | What it is for. | ingest (required) |"
    `)
  })
})
