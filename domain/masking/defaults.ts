/** The rules that `HEDDLE_SENSITIVE_DATA` stands for: for everybody, before all others. */
import { type DetectorName, MaskRule } from '../../contract/masking.js'
import type { Arrival } from '../calls/arrival.js'
import type { StoredRules } from './rules-by-scope.js'
import { type Snapshot, snapshotOf } from './snapshot.js'

const PII_V1: readonly DetectorName[] = ['email', 'card', 'iban', 'us_ssn', 'phone']

/** The operator's rules of scope `*`; none where it is off. */
export function operatorRules(policy: Arrival['sensitiveData']): StoredRules[] {
  if (policy === 'off') return []
  const rules = PII_V1.map((detector) =>
    MaskRule.parse({ name: `${policy}.${detector}`, detector, how: 'stars' }),
  )
  return [{ scope: '*', salt: '', rules }]
}

/** Masks by the operator's rules alone, and counts nothing: for parts of the service that stand by themselves. */
export function operatorMasks({ sensitiveData }: Pick<Arrival, 'sensitiveData'>): {
  snapshot: Snapshot | undefined
  note: () => void
} {
  const rules = operatorRules(sensitiveData)
  return { snapshot: rules.length === 0 ? undefined : snapshotOf(rules), note: () => undefined }
}
