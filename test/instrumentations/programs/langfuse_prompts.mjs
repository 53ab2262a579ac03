import * as sdk from '@langfuse/client'

// Version 3 has one class, with methods of other names.
const langfuse = sdk.Langfuse ? new sdk.Langfuse() : new sdk.LangfuseClient()
const { prompt, api } = langfuse
const create = (given) => (prompt ? prompt.create(given) : langfuse.createPrompt(given))
const get = (name, { version, ...options } = {}) =>
  prompt ? prompt.get(name, { version, ...options }) : langfuse.getPrompt(name, version, options)
const update = (name, version, newLabels) =>
  prompt ? prompt.update({ name, version, newLabels }) : langfuse.updatePrompt({ name, version, newLabels })
const list = () => (prompt ? api.prompts.list() : api.promptsList({}))

const first = await create({
  name: 'team/greeting',
  prompt: 'Hello {{ name }}, {"a": 1}',
  labels: ['production'],
  tags: ['warm'],
  config: { model: 'm' },
})
await create({ name: 'team/greeting', prompt: 'Hi {{name}}', commitMessage: 'shorter' })
const found = { first: first.version, production: (await get('team/greeting')).version }
const latest = await get('team/greeting', { label: 'latest' })
found.latest = [latest.version, latest.commitMessage, latest.compile({ name: 'Ann' }), latest.tags]
await update('team/greeting', 2, ['production', 'b'])
found.moved = [
  (await get('team/greeting', { cacheTtlSeconds: 0 })).version,
  (await get('team/greeting', { label: 'b' })).labels,
]
const old = await get('team/greeting', { version: 1 })
found.old = [old.prompt, old.compile({ name: 'Ann' }), old.config, old.labels]
await create({
  name: 'chat',
  type: 'chat',
  prompt: [
    { role: 'system', content: '@@@langfusePrompt:name=team/greeting|label=production@@@ Be kind.' },
    { role: 'user', content: '{{question}}' },
  ],
  labels: ['production'],
})
const chat = await get('chat', { type: 'chat' })
found.chat = chat.compile({ name: 'Ann', question: 'Why?' }).map(({ role, content }) => [role, content])
found.fallback = (await get('nowhere', { fallback: 'else {{x}}', maxRetries: 0 })).compile({ x: '1' })
found.elsewhere = (await get('elsewhere', { label: 'latest' })).compile({ name: 'Ann' })
const { data } = await list()
found.listed = Object.fromEntries(
  data.map(({ name, versions, labels, tags }) => [name, [versions, labels, tags]]),
)
console.log(`RESULT ${JSON.stringify(found)}`)
