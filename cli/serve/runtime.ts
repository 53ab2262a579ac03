/**
 * Checks whether Node.js and the C library of this machine can load the native modules. Loads nothing native itself.
 * docs/adr/0001-uwebsockets.md lists the binaries and their requirements.
 */

/** Node's binary interface version → the oldest glibc that the HTTP server's binary for it loads with. */
const NEEDS: Record<string, { node: number; glibc: string }> = {
  '115': { node: 20, glibc: '2.27' },
  '127': { node: 22, glibc: '2.27' },
  '131': { node: 23, glibc: '2.27' },
  '137': { node: 24, glibc: '2.38' },
  '141': { node: 25, glibc: '2.38' },
}

export interface Runtime {
  /** process.version */
  node: string
  /** process.versions.modules */
  abi: string
  platform: string
  /** undefined: another C library (musl), or another system */
  glibc: string | undefined
}

/** The runtime of this process. */
export function thisRuntime(): Runtime {
  const { header } = process.report.getReport() as { header: { glibcVersionRuntime?: string } }
  const { version, versions, platform } = process
  return { node: version, abi: versions.modules, platform, glibc: header.glibcVersionRuntime }
}

/**
 * One sentence on why this runtime is not supported and what to use; undefined: it is supported.
 * @param server `HEDDLE_HTTP_SERVER`
 */
export function runtimeProblem(
  runtime: Runtime = thisRuntime(),
  server = process.env.HEDDLE_HTTP_SERVER,
): string | undefined {
  const { node, abi, platform, glibc } = runtime
  if (platform === 'linux' && glibc === undefined)
    return 'this system has no glibc (like Alpine); use a Debian- or Ubuntu-based one.'
  // What else is native fits all versions.
  if (server === 'node') return undefined
  const need = NEEDS[abi]
  const or = 'or set HEDDLE_HTTP_SERVER=node, which is slower'
  if (need === undefined)
    return `Node.js ${node} has no binary of the HTTP server; install Node.js 20 or 24 (https://nodejs.org), ${or}.`
  if (platform === 'linux' && older(glibc!, need.glibc))
    return `Node.js ${need.node} needs glibc ${need.glibc} or newer here and this system has ${glibc}; use Node.js 20, a newer system such as Debian 13, ${or}.`
  return undefined
}

function older(version: string, than: string): boolean {
  const [a, b] = [version, than].map((text) => text.split('.').map(Number))
  return a![0] !== b![0] ? a![0]! < b![0]! : a![1]! < b![1]!
}
