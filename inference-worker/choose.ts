/**
 * Which node gets a request: the one that holds its adapter and the beginning of its prompt, unless that one has much
 * more to do than another. Pure.
 */

export interface Candidate {
  /** requests that run or wait there, over the choices that can run at once; 1: full */
  load: number
  /** it holds the request's adapter, or the request has none */
  adapter: boolean
  /** of the prompt, the part whose keys and values are likely in its cache: 0 to 1 */
  prefix: number
}

/** Loading an adapter, or reading a prompt anew, is worth that much more load elsewhere. */
const ADAPTER_WORTH = 0.5
const PREFIX_WORTH = 0.4
/** A full node makes the request wait, so that hardly anything speaks for it. */
const FULL_COST = 1

/** The best of `candidates`; undefined if there are none. Of equals the first. */
export function choose<C extends Candidate>(candidates: readonly C[]): C | undefined {
  let best: C | undefined
  for (const candidate of candidates) if (!best || cost(candidate) < cost(best)) best = candidate
  return best
}

function cost({ load, adapter, prefix }: Candidate): number {
  return load + (load >= 1 ? FULL_COST : 0) - (adapter ? ADAPTER_WORTH : 0) - PREFIX_WORTH * prefix
}
