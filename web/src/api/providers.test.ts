import { expect, it } from 'vitest'
import { providersOf } from './providers'

const object = (object_id: string, leaf_object_class: string, val: object) => ({
  object_id,
  digest: `digest-${object_id}`,
  leaf_object_class,
  val,
})

it('models stand with the provider that they name by its id, its ref or a digest', () => {
  const found = providersOf([
    object('a-big_1', 'ProviderModel', { name: 'big/1', provider: 'digest-a', max_tokens: 9 }),
    object('small', 'ProviderModel', { provider: 'a' }),
    object('mid', 'ProviderModel', { provider: 'weave:///e/p/object/a:x' }),
    object('lost', 'ProviderModel', { provider: 'b' }),
    object('a', 'Provider', { name: 'A', base_url: 'https://a.example', api_key_name: 'KEY' }),
  ])
  expect(found.map(({ id, address, models }) => [id, address, models.map(({ asked }) => asked)])).toEqual([
    ['a', 'https://a.example', ['a/big/1', 'small', 'mid']],
    ['b', '', ['lost']],
  ])
  expect(found[0]).toMatchObject({ name: 'A', secret: 'KEY', headers: {} })
  expect(found[0]!.models[0]).toEqual({ name: 'big/1', asked: 'a/big/1', maxTokens: 9 })
})
