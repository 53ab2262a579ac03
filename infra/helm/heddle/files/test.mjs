// `helm test`: every role has to say that it is ready, and the interfaces have to answer. With a key, a call is written
// and read back. Ends with 1 and a line for each that does not do what it should. Needs nothing but Node.js.
const urls = (name) => Object.entries(JSON.parse(process.env[name] ?? '{}'))
const ATTEMPT_MS = 10_000
const failures = []

async function check(what, work) {
  try {
    await work()
    console.log(`ok      ${what}`)
  } catch (error) {
    failures.push(what)
    const cause = error.cause?.code ?? error.cause?.message
    console.log(`FAILED  ${what}: ${error.message}${cause ? ` (${cause})` : ''}`)
  }
}

async function answer(url, init = {}) {
  const response = await fetch(url, { ...init, signal: AbortSignal.timeout(ATTEMPT_MS) })
  const text = await response.text()
  if (!response.ok) throw new Error(`${response.status} ${text.slice(0, 300)}`)
  return text
}

async function roundTrip(url, key) {
  const headers = {
    authorization: `Basic ${Buffer.from(`api:${key}`).toString('base64')}`,
    'content-type': 'application/json',
  }
  const [project, id] = ['helm/test', crypto.randomUUID()]
  const now = new Date().toISOString()
  const start = {
    project_id: project,
    id,
    trace_id: crypto.randomUUID(),
    op_name: 'helm-test',
    started_at: now,
    attributes: {},
    inputs: { from: 'helm test' },
  }
  await answer(`${url}/call/start`, { method: 'POST', headers, body: JSON.stringify({ start }) })
  const read = await answer(`${url}/call/read`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ project_id: project, id }),
  })
  if (JSON.parse(read).call?.id !== id)
    throw new Error(`what was written does not come back: ${read.slice(0, 300)}`)
}

for (const [role, url] of urls('METRICS_URLS')) {
  await check(`${role} is ready`, () => answer(`${url}/readyz`))
}
for (const [role, url] of urls('INTERFACE_URLS')) {
  // The tracing interface writes a row and reads it for its health; the other asks for a key there.
  const path = role === 'training-api' ? '/openapi.json' : role === 'tracing' ? '/health' : undefined
  if (path) await check(`${role} answers ${path}`, () => answer(url + path))
  if (process.env.API_KEY && role === 'tracing') {
    await check('a call is written and read back', () => roundTrip(url, process.env.API_KEY))
  }
}
console.log(failures.length === 0 ? 'all is well' : `${failures.length} failed: ${failures.join(', ')}`)
process.exitCode = failures.length === 0 ? 0 : 1
