// The npm weave SDK as a user would write it: plain, nested and failing ops, async iterators, attributes,
// display names. PROJECT names the project. Reports the call ids it made, by name.
import * as weave from 'weave'
import { report } from './result.mjs'

const client = await weave.init(process.env.PROJECT, { printCallLink: false })
const made = {}

async function remember(name, invoked) {
  const [, call] = await invoked
  made[name] = call.id
}

const add = weave.op(
  function add(a, b) {
    return a + b
  },
  { parameterNames: ['a', 'b'] },
)
const inner = weave.op(async function inner(text) {
  return { length: text.length, text, nested: { list: [1, 2.5, null, true, 'żółć 🧵'] } }
})
const outer = weave.op(async function outer(text) {
  return { inner: await inner(text), twice: [await inner(`${text}!`), await inner(`${text}?`)] }
})
const fails = weave.op(function fails(reason) {
  throw new Error(reason)
})
const failsInside = weave.op(async function failsInside(reason) {
  try {
    await fails(reason)
  } catch {
    return 'survived'
  }
})
const streams = weave.op(
  async function* streams(upto) {
    for (let number = 0; number < upto; number++) yield { n: number }
  },
  {
    streamReducer: {
      initialStateFn: () => ({ seen: [] }),
      reduceFn: (state, chunk) => ({ seen: [...state.seen, chunk.n] }),
      finalizeFn: () => {},
    },
  },
)
const named = weave.op((x) => x, { name: 'renamed-op', callDisplayName: (x) => `shown ${x}` })
const callsModel = weave.op(
  async (prompt) => ({ prompt, model: 'model-small-1', usage: { prompt_tokens: 11, completion_tokens: 7 } }),
  {
    name: 'callsModel',
    summarize: (result) => ({ usage: { [result.model]: { requests: 1, ...result.usage } } }),
  },
)

await remember('add', add.invoke(1, 2.5))
await remember('outer', outer.invoke('hello'))
await fails('on purpose').catch(() => {})
await remember('failsInside', failsInside.invoke('caught'))
for await (const _ of await streams(4));
await remember('named', named.invoke(7))
await remember('callsModel', callsModel.invoke('price?'))
await weave.withAttributes({ env: 'test', release: { major: 3 } }, () =>
  remember('attributed', add.invoke(10, 20)),
)
await client.waitForBatchProcessing()
await client.updateCall(made.add, 'renamed later')
report({ made })
