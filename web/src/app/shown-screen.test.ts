import { expect, it } from 'vitest'
import { screenOf } from './shown-screen'

it.each([
  ['/me/x/weave/traces', undefined, 'traces'],
  ['/me/x/r/call/1', undefined, 'traces'],
  ['/me/x/weave/objects', undefined, 'objects'],
  ['/me/x/weave/objects/a', undefined, 'objects'],
  ['/me/x/weave/objects/a', 'Model', 'objects'],
  ['/me/x/weave/objects/a/versions/1', 'Prompt', 'prompts'],
  ['/me/x/weave/objects/a', 'Dataset', 'datasets'],
  ['/me/x/weave/datasets/a', 'Dataset', 'datasets'],
  ['/me/x/weave/agents/named/a', undefined, 'agents'],
  ['/me/x/weave/compare-evaluations', undefined, 'evaluations'],
  ['/settings', undefined, undefined],
  ['/', undefined, undefined],
])('%s, %s: %s', (path, type, screen) => expect(screenOf(path, type)).toBe(screen))
