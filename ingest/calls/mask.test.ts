import { describe, expect, it } from 'vitest'
import { MaskRule } from '../../contract/masking.js'
import { RulesByScope } from '../../domain/masking/rules-by-scope.js'
import { maskCalls } from './mask.js'

const mail = MaskRule.parse({ name: 'mail', detector: 'email' })
const rules = new RulesByScope([{ scope: 'ent/one', salt: '', rules: [mail] }])
const MAIL = 'ann@example.com'
const masked = (body: string, project?: string) =>
  Buffer.from(maskCalls(Buffer.from(body), project, rules, new Map())).toString()

describe('the body of a request', () => {
  it.each([
    ['texts, and no ids', '{"start":{"project_id":"ent/one","id":"MAIL","inputs":{"a":["MAIL"]}}}', 1],
    [
      'what stands in a batch',
      '{"batch":[{"mode":"end","req":{"end":{"project_id":"ent/one","output":"MAIL"}}}]}',
      1,
    ],
    [
      'an exception, a name and attributes',
      '{"project_id":"ent/one","exception":"MAIL","display_name":"MAIL","attributes":{"MAIL":1}}',
      3,
    ],
    ['nothing of another project', '{"start":{"project_id":"ent/two","inputs":{"a":"MAIL"}}}', 0],
    [
      'all where one of the projects has rules',
      '{"batch":[{"project_id":"ent/two","output":"MAIL"},{"project_id":"ent/one"}]}',
      1,
    ],
    ['where the project is written otherwise', '{"project_id":"ent\\u002fone","output":"MAIL"}', 1],
    ['where no project can be found', '{"project\\u005fid":"ent/one","output":"MAIL"}', 1],
    ['nothing of what is no JSON', '{"project_id":"ent/one","output":"MAIL"', 0],
  ])('is masked: %s', (_, body, count) => {
    expect(masked(body.replaceAll('MAIL', MAIL)).split('[EMAIL]')).toHaveLength(count + 1)
  })

  it('is masked by the rules of the project of its path', () => {
    expect(masked(`{"output":"${MAIL}"}`, 'ent/one')).toBe('{"output":"[EMAIL]"}')
    expect(masked(`{"output":"${MAIL}"}`, 'ent/two')).toBe(`{"output":"${MAIL}"}`)
  })
})
