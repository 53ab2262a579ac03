/** What the operator set for calls as they arrive, for the whole service. */
export interface Arrival {
  /** `pii-v1`: personal data is masked, see `mask.ts` */
  readonly sensitiveData: 'off' | 'pii-v1'
  /** the part of exporters' traces that is stored, from 0 to 1 */
  readonly sampleRate: number
}

/** These of a process's settings. */
export function arrivalOf({ sensitiveData, sampleRate }: Arrival): Arrival {
  return { sensitiveData, sampleRate }
}

/** Everything is stored as it was sent. */
export const AS_SENT: Arrival = { sensitiveData: 'off', sampleRate: 1 }
