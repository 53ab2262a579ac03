/**
 * Imports point one way: proto ← common ← services ← cli. `clickhouse-embedded` knows nothing of Heddle;
 * `bench` and `test` use public interfaces only.
 */
const services = ['ingest', 'query', 'training-api', 'inference-worker', 'trainer-worker', 'evaluation-worker']
const rooms = ['common', ...services, 'clickhouse-embedded', 'cli', 'bench', 'test']
const folders = (names) => `^(${names.join('|')})/`

module.exports = {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true, dependencyTypesNot: ['type-only'] } },
    { name: 'proto-is-the-bottom', severity: 'error', from: { path: '^proto/' }, to: { path: folders(rooms) } },
    {
      name: 'common-knows-no-service',
      severity: 'error',
      from: { path: '^common/' },
      to: { path: folders([...services, 'clickhouse-embedded', 'cli', 'bench', 'test']) },
    },
    ...services.map((service) => ({
      name: `${service}-stands-alone`,
      severity: 'error',
      // What tests share may start the engine.
      from: { path: `^${service}/`, pathNot: `^${service}/testing/` },
      to: { path: folders([...services.filter((other) => other !== service), 'clickhouse-embedded', 'cli', 'bench', 'test']) },
    })),
    {
      name: 'engine-knows-no-heddle',
      severity: 'error',
      from: { path: '^clickhouse-embedded/' },
      to: { path: folders(rooms.filter((room) => room !== 'clickhouse-embedded')) },
    },
    {
      name: 'public-interfaces-only',
      severity: 'error',
      from: { path: '^(bench|test)/' },
      to: { path: folders(rooms.filter((room) => room !== 'bench' && room !== 'test')) },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^dist/' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'require', 'node', 'default'] },
  },
}
