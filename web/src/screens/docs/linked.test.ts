import { expect, it } from 'vitest'
import { linked } from './linked'

const guides = ['guides/sft', 'guides/rl', 'operate/README', 'operate/keys']
const shown = (text: string) => linked(text, 'guides/sft', 'http://here', (path) => guides.includes(path))

it.each([
  ['[RL](rl.md)', '[RL](http://here/docs?page=guides/rl)'],
  ['[a `key`](../operate/keys.md#end)', '[a `key`](http://here/docs?page=operate/keys#end)'],
  ['[below](#below)', '[below](http://here/docs?page=guides/sft#below)'],
  ['[all](../operate/)', '[all](http://here/docs?page=operate/README)'],
  ['[the code](../../domain/refs/ref.ts)', 'the code'],
  ['[out](https://example.com/rl.md)', '[out](https://example.com/rl.md)'],
  ['`[RL](rl.md)`', '`[RL](rl.md)`'],
  ['```\n[RL](rl.md)\n```\n[RL](rl.md)', '```\n[RL](rl.md)\n```\n[RL](http://here/docs?page=guides/rl)'],
])('%j', (text, expected) => expect(shown(text)).toBe(expected))
