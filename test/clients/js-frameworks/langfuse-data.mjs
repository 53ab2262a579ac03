// A dataset, its items and an experiment over them by Langfuse's SDK. Environment: LANGFUSE_…, NAME names the dataset, MAJOR the SDK's version.
// Reports what the SDK read back.
const { MAJOR, NAME: name } = process.env

/** The client, and the calls that have other names in version 3. */
async function open() {
  if (MAJOR === '3') {
    const { Langfuse } = await import('langfuse')
    const client = new Langfuse()
    return {
      client,
      dataset: (body) => client.createDataset(body),
      item: (body) => client.createDatasetItem(body),
      get: () => client.getDataset(name, { fetchItemsPageSize: 10 }),
    }
  }
  const { LangfuseClient } = await import(MAJOR === '4' ? 'langfuse-4-client' : '@langfuse/client')
  const client = new LangfuseClient()
  return {
    client,
    dataset: (body) => client.api.datasets.create(body),
    item: (body) => client.api.datasetItems.create(body),
    get: () => client.dataset.get(name, { fetchItemsPageSize: 10 }),
  }
}

const { client, dataset, item, get } = await open()
const made = await dataset({ name, description: 'sums', metadata: { by: 'test' } })
await Promise.all(
  Array.from({ length: 24 }, (_, i) =>
    item({
      datasetName: name,
      id: `item-${i}`,
      input: { a: i, b: 1 },
      expectedOutput: i + 1,
      metadata: { i },
    }),
  ),
)
const changed = await item({ datasetName: name, id: 'item-0', expectedOutput: 100 })
const archived = await item({ datasetName: name, id: 'item-1', status: 'ARCHIVED' })
const opened = await get()
const { description, items } = opened

/** Asks for the sum of each item. @returns how many were asked */
async function experiment() {
  if (MAJOR === '3') {
    for (const one of items) {
      const output = one.input.a + one.input.b
      const trace = client.trace({ name: 'by hand', input: one.input, output })
      trace.score({ name: 'exact', value: Number(output === one.expectedOutput) })
      await one.link(trace, 'plus one', { description: 'adds' })
    }
    await client.shutdownAsync()
    return items.length
  }
  const { LangfuseSpanProcessor } = await import(MAJOR === '4' ? 'langfuse-4-otel' : '@langfuse/otel')
  const { NodeTracerProvider } = await import('@opentelemetry/sdk-trace-node')
  const processor = new LangfuseSpanProcessor()
  new NodeTracerProvider({ spanProcessors: [processor] }).register()
  const { itemResults } = await opened.runExperiment({
    name: 'sums',
    runName: 'plus one',
    description: 'adds',
    task: async ({ input }) => input.a + input.b,
    evaluators: [
      async ({ output, expectedOutput }) => ({ name: 'exact', value: Number(output === expectedOutput) }),
    ],
  })
  await processor.forceFlush()
  await client.flush()
  return itemResults.length
}

const asked = await experiment()
const found = {
  runs: { 'plus one': [asked, 21 / 22] },
  created: made.name,
  changed: [changed.input, changed.expectedOutput],
  archived: [archived.status, archived.input],
  description,
  items: items.map(({ id, input, expectedOutput }) => [id, input, expectedOutput]).sort(),
}
process.stdout.write(`RESULT ${JSON.stringify(found)}\n`)
