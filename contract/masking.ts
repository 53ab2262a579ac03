/** Declarations of masking: rules by which texts are changed before anything is stored. */
import { z } from 'zod'
import { route } from '../platform/http/route.js'
import { component, orNull, projectId, timeOut } from './shared.js'

/** What texts are searched for by themselves, without a pattern. */
export const DETECTORS = ['email', 'phone', 'card', 'iban', 'us_ssn', 'ip', 'key'] as const
export type DetectorName = (typeof DETECTORS)[number]

/** What a match is replaced by. */
export const MASKS = ['label', 'stars', 'last4', 'hash'] as const
export type MaskHow = (typeof MASKS)[number]

/** The most rules of a scope, names of a rule, and characters of a pattern. */
const MOST_RULES = 50
const MOST_NAMES = 5000
const LONGEST_PATTERN = 500

const KINDS = ['detector', 'pattern', 'names', 'path'] as const

export const MaskRule = component('MaskRule', {
  name: z
    .string()
    .regex(/^[\w.-]{1,64}$/, 'Should be of letters, digits, "_", "." and "-"')
    .describe('what it is counted by'),
  detector: orNull(z.enum(DETECTORS)),
  pattern: orNull(z.string().min(1).max(LONGEST_PATTERN)).describe(
    'a regular expression in the syntax of RE2: no look-around, no back-references',
  ),
  names: orNull(z.array(z.string().trim().min(2).max(200)).min(1).max(MOST_NAMES)).describe(
    'whole words that are masked wherever they stand',
  ),
  path: orNull(z.string().min(1).max(300)).describe(
    'a field of JSON, such as inputs.customer.name; * is any one part, and **.ssn is ssn anywhere',
  ),
  ignore_case: z.boolean().default(false).describe('of the pattern and the names'),
  how: z
    .enum(MASKS)
    .default('label')
    .describe(
      'label: [EMAIL]; stars: one for each character; last4: stars but for the last four; hash: [EMAIL:3f2a9c1d04be], the same for equal texts of the scope',
    ),
  label: orNull(
    z.string().regex(/^[A-Z][A-Z0-9_]{0,31}$/, 'Should be of capital letters, digits and "_"'),
  ).describe('default: by what it masks'),
}).refine((rule) => KINDS.filter((kind) => rule[kind] !== null).length === 1, {
  message: 'Should have one of detector, pattern, names and path',
})
export type MaskRule = z.output<typeof MaskRule>

const MaskRules = z
  .array(MaskRule)
  .max(MOST_RULES)
  .refine((rules) => new Set(rules.map(({ name }) => name)).size === rules.length, {
    message: 'Should have a name of its own for each rule',
  })

const tag = 'Masking'
const asked = { tag, method: 'POST', access: 'admin', project: 'handler' } as const
const scope = z.string().max(300).describe('*, an entity or entity/project; the key administers it')

const MaskRuleSet = component('MaskRuleSet', {
  scope: z.string(),
  rules: z.array(MaskRule),
  version: z.string().nullable().describe('changes with each save; null: nobody saved it'),
  changed_at: timeOut.nullable(),
})

export const maskingQuery = route({
  ...asked,
  id: 'masking_query',
  path: '/masking/query',
  summary: 'Show the masking rules of a scope, and those of the wider scopes that hold there too',
  body: component('MaskingQueryReq', { scope }),
  answer: component('MaskingQueryRes', {
    own: MaskRuleSet,
    wider: z.array(MaskRuleSet).describe('of the entity, and of everybody'),
  }),
})

export const maskingSave = route({
  ...asked,
  id: 'masking_save',
  audit: { category: 'settings', names: ['body.scope'] },
  path: '/masking/save',
  summary: 'Set the masking rules of a scope; they hold for what is stored from then on',
  body: component('MaskingSaveReq', {
    scope,
    rules: MaskRules,
    expected_version: z
      .string()
      .nullish()
      .describe('409 if somebody else has saved since; null: nobody ever has; absent: whatever there is'),
  }),
  answer: component('MaskingSaveRes', { version: z.string() }),
})

export const maskingDelete = route({
  ...asked,
  id: 'masking_delete',
  audit: { category: 'settings', names: ['body.scope'] },
  path: '/masking/delete',
  summary: 'Take the masking rules of a scope back; those of wider scopes stay',
  body: component('MaskingDeleteReq', { scope }),
  answer: component('MaskingDeleteRes', {}),
})

const MaskExample = component('MaskExample', {
  call_id: z.string(),
  field: z.string(),
  before: z.string(),
  after: z.string(),
})

export const maskingPreview = route({
  ...asked,
  id: 'masking_preview',
  path: '/masking/preview',
  summary: 'Try rules on the newest calls of a project; changes nothing',
  body: component('MaskingPreviewReq', {
    project_id: projectId,
    rules: orNull(MaskRules).describe('default: the rules that hold in the project'),
    calls: z.int().min(1).max(1000).default(200),
  }),
  answer: component('MaskingPreviewRes', {
    calls: z.int().describe('how many were looked at'),
    changed: z.int().describe('calls that would be stored otherwise'),
    rules: z.array(z.object({ name: z.string(), scope: z.string(), matches: z.int() })),
    examples: z.array(MaskExample).describe('a few, each a piece of a text'),
  }),
})

export const maskingCounts = route({
  ...asked,
  id: 'masking_counts',
  path: '/masking/counts',
  summary: 'Show how often rules have masked something',
  body: component('MaskingCountsReq', {
    scope,
    days: z.int().min(1).max(366).default(30).describe('today among them'),
  }),
  answer: component('MaskingCountsRes', {
    counts: z.array(
      z.object({
        day: z.string(),
        scope: z.string().describe('of the rule'),
        rule: z.string(),
        matches: z.int(),
      }),
    ),
  }),
})
