import { expect, it } from 'vitest'
import { readsOf } from '../serve/role-child.js'
import { childEnv } from './child-env.js'

const own = {
  PATH: '/bin',
  HOME: '/home/me',
  CUDA_VISIBLE_DEVICES: '0',
  TOKENIZERS_PARALLELISM: 'false',
  HEDDLE_SECRETS_KEY: 's',
  HEDDLE_DEV_API_KEY: 's',
  HEDDLE_NODE_TOKEN: 's',
  HEDDLE_NODE_MAX_BATCH: '4',
  CLICKHOUSE_PASSWORD: 's',
  CLICKHOUSE_URL: 'http://user:s@store',
  REDIS_URL: 'redis://:s@queue',
  AWS_ACCESS_KEY_ID: 's',
  AWS_SECRET_ACCESS_KEY: 's',
  AWS_SESSION_TOKEN: 's',
  OPENAI_API_KEY: 's',
  GITHUB_TOKEN: 's',
  PGPASSWORD_FILE: 'f',
  OTEL_EXPORTER_OTLP_HEADERS: 'authorization=s',
  my_secret: 's',
}

it('a child that reads nothing of ours gets no setting and no credential', () => {
  expect(Object.keys(childEnv([], {}, own))).toEqual([
    'PATH',
    'HOME',
    'CUDA_VISIBLE_DEVICES',
    'TOKENIZERS_PARALLELISM',
    'PGPASSWORD_FILE',
  ])
})

it('a child gets what it reads, and what is added for it', () => {
  const env = childEnv(['REDIS_URL', 'HEDDLE_NODE_*', 'AWS_*'], { HEDDLE_NODE_TOKEN: 'new' }, own)
  expect(env).toMatchObject({
    REDIS_URL: own.REDIS_URL,
    HEDDLE_NODE_MAX_BATCH: '4',
    HEDDLE_NODE_TOKEN: 'new',
    AWS_SESSION_TOKEN: 's',
  })
  for (const name of ['HEDDLE_SECRETS_KEY', 'CLICKHOUSE_URL', 'OPENAI_API_KEY'])
    expect(env).not.toHaveProperty(name)
})

it('a role that reads artifacts gets what their keys are found by, and no other role does', () => {
  const identity = { AWS_WEB_IDENTITY_TOKEN_FILE: '/token', AWS_ROLE_ARN: 'arn' }
  expect(childEnv(readsOf('trainer-worker'), {}, identity)).toEqual(identity)
  expect(childEnv(readsOf('inference-worker'), {}, identity)).not.toHaveProperty(
    'AWS_WEB_IDENTITY_TOKEN_FILE',
  )
})
