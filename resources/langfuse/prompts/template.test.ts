import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fromFormat, toFormat } from './template.js'

describe('a template', () => {
  it.each([
    ['Hello {{name}}!', 'Hello {name}!'],
    ['{{ name }}', '{name}'],
    ['{"a": {{a}}}', '{{"a": {a}}}'],
    ['{{a b}}', '{{{{a b}}}}'],
    ['no variable', 'no variable'],
    ['{{{x}}}', '{{{x}}}'],
    ['', ''],
  ])('%j is %j for Python', (langfuse, format) => {
    expect(toFormat(langfuse)).toBe(format)
  })

  it.each([
    ['{name}', '{{name}}'],
    ['{{"a": {a}}}', '{"a": {{a}}}'],
    ['{"a": 1}', '{"a": 1}'],
    ['{0} {a.b}', '{0} {a.b}'],
  ])('%j of Python is %j', (format, langfuse) => {
    expect(fromFormat(format)).toBe(langfuse)
  })

  it('comes back as it was, but for spaces around variables', () => {
    const piece = fc.constantFrom('{{x}}', '{', '}', 'text', '{{y_1}}', '"', ' ', '{{', '}}')
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        const template = pieces.join('')
        const back = fromFormat(toFormat(template))
        expect(back.replaceAll(' ', '')).toBe(template.replaceAll(' ', ''))
      }),
    )
  })
})
