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

/** One sentence on why this runtime is not supported and what to use; undefined: it is supported. */
export function runtimeProblem(runtime: Runtime = thisRuntime()): string | undefined {
  const { node, abi, platform, glibc } = runtime
  const need = NEEDS[abi]
  if (need === undefined) {
    return `Node.js ${node} has no binary of the HTTP server; install Node.js 20 or 24 (https://nodejs.org).`
  }
  if (platform !== 'linux') return undefined
  if (glibc === undefined) {
    return 'this system has no glibc (like Alpine); use a Debian- or Ubuntu-based one.'
  }
  if (older(glibc, need.glibc)) {
    return `Node.js ${need.node} needs glibc ${need.glibc} or newer here and this system has ${glibc}; use Node.js 20, or a newer system such as Debian 13.`
  }
  return undefined
}

function older(version: string, than: string): boolean {
  const [a, b] = [version, than].map((text) => text.split('.').map(Number))
  return a![0] !== b![0] ? a![0]! < b![0]! : a![1]! < b![1]!
}
