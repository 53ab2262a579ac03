/** A rule as a form has it, and as it is sent. Pure. */
import type { MaskRule } from '../../api/masking'

export const KINDS = {
  detector: 'Found by itself',
  pattern: 'A pattern (RE2)',
  names: 'A list of words',
  path: 'A field of JSON',
} as const
export type Kind = keyof typeof KINDS

export const DETECTORS = {
  ...{
    email: 'E-mail addresses',
    phone: 'Phone numbers',
    card: 'Payment cards',
    iban: 'Bank accounts (IBAN)',
  },
  ...{ us_ssn: 'US social security numbers', ip: 'IP addresses', key: 'Keys and tokens' },
} as const satisfies Record<NonNullable<MaskRule['detector']>, string>

export const MASKS = {
  ...{ label: 'A label, such as [EMAIL]', stars: 'Stars', last4: 'Stars but for the last four' },
  hash: 'A label with a hash: equal texts stay equal',
} as const satisfies Record<MaskRule['how'], string>

export interface Draft {
  name: string
  kind: Kind
  detector: keyof typeof DETECTORS
  /** a pattern, words line by line, or a path */
  text: string
  ignoreCase: boolean
  how: keyof typeof MASKS
  label: string
}

export const NEW: Draft = {
  ...{ name: '', kind: 'detector', detector: 'email', text: '', ignoreCase: false, how: 'label', label: '' },
}

/** As it is sent. */
export function ruleOf({ name, kind, detector, text, ignoreCase, how, label }: Draft): MaskRule {
  const words = text.split('\n').map((word) => word.trim())
  return {
    ...{ name, how, ignore_case: ignoreCase },
    detector: kind === 'detector' ? detector : null,
    pattern: kind === 'pattern' ? text : null,
    path: kind === 'path' ? text.trim() : null,
    names: kind === 'names' ? words.filter((word) => word !== '') : null,
    label: label === '' ? null : label,
  }
}

/** What a rule masks, in words. */
export function whatOf({ detector, pattern, names, path }: MaskRule): string {
  if (detector) return DETECTORS[detector]
  if (pattern) return `/${pattern}/`
  return names ? `${names.length} words` : (path ?? '')
}
