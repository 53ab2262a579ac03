import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { imageKind } from '../../platform/images/kind.js'
import { parseTree, treeText } from '../../platform/json/tree.js'
import { contentOf } from './content.js'
import { imageSources, usageOf, withFiles } from './results.js'

const sources = (text: string, most = 2) => imageSources(parseTree(text), most)

describe('the images of an answer', () => {
  it.each([
    ['inline', '{"data":[{"b64_json":"aGk="}]}', [{ bytes: Buffer.from('hi') }]],
    ['inline without padding', '{"data":[{"b64_json":"aGk"}]}', [{ bytes: Buffer.from('hi') }]],
    ['at an address', '{"data":[{"url":"https://x/1.png","b64_json":null}]}', [{ url: 'https://x/1.png' }]],
    ['in a data URL', '{"data":[{"url":"data:image/png;base64,aGk="}]}', [{ bytes: Buffer.from('hi') }]],
    [
      'both kinds',
      '{"data":[{"b64_json":"aGk="},{"url":"u"}]}',
      [{ bytes: Buffer.from('hi') }, { url: 'u' }],
    ],
  ])('%s', (_, text, expected) => expect(sources(text)).toEqual(expected))

  it.each([
    ['[]', 'no list of images'],
    ['{"error":"no"}', 'no list of images'],
    ['{"data":{}}', 'no list of images'],
    ['{"data":[]}', 'no list of images'],
    ['{"data":[1]}', 'neither b64_json nor url in data.0'],
    ['{"data":[{"b64_json":"aGk="},{}]}', 'neither b64_json nor url in data.1'],
    ['{"data":[{"b64_json":"<html>"}]}', 'not base64 in data.0'],
    ['{"data":[{},{},{}]}', '3 images where 2 were asked for'],
  ])('%s is a bad answer', (text, problem) => expect(() => sources(text)).toThrow(problem))

  it('anything at all is images or a bad answer', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        try {
          expect(sources(text).length).toBeGreaterThan(0)
        } catch (error) {
          expect(error).toMatchObject({ code: 'PROVIDER_BAD_ANSWER' })
        }
      }),
    )
  })
})

it('files stand in place of images, everything else stays as it came', () => {
  const answer = parseTree(
    '{"created":1.0,"data":[{"b64_json":"aGk=","revised_prompt":"a cat"},{"url":"u","n":1e2}]}',
  )
  expect(treeText(withFiles(answer, ['one', 'two']))).toBe(
    '{"created":1.0,"data":[{"revised_prompt":"a cat","image":"one"},{"n":1e2,"image":"two"}]}',
  )
})

it.each([
  ['{}', { requests: 1 }],
  ['{"usage":null}', { requests: 1 }],
  [
    '{"usage":{"input_tokens":50,"output_tokens":60,"total_tokens":110,"input_tokens_details":{}}}',
    { requests: 1, input_tokens: 50, output_tokens: 60, total_tokens: 110 },
  ],
  ['{"usage":{"input_tokens":"50","output_tokens":-1,"total_tokens":1.5}}', { requests: 1 }],
])('the usage in %s', (text, expected) => expect(usageOf(parseTree(text))).toEqual(expected))

it.each([
  ['image/png', '\x89PNG\r\n\x1a\n...'],
  ['image/jpeg', '\xff\xd8\xff\xe0...'],
  ['image/webp', 'RIFF\x01\x02\x03\x04WEBPVP8 '],
  ['image/gif', 'GIF89a...'],
  ['image/avif', '\0\0\0\x20ftypavif'],
  ['image/svg+xml', '<?xml version="1.0"?>\n<svg xmlns="x"/>'],
  [undefined, '<html><svg></svg></html>'],
  [undefined, ''],
  [undefined, 'RIFF'],
])('%s', (mime, text) => expect(imageKind(Buffer.from(text, 'latin1'))?.mime).toBe(mime))

it('an image is two files, and a value that names them', () => {
  const kind = { mime: 'image/png', extension: '.png' }
  const { files, value } = contentOf(Buffer.from('image'), kind)
  expect(files.map(({ name }) => name)).toEqual(['content', 'metadata.json'])
  expect(JSON.parse(Buffer.from(files[1]!.content).toString())).toMatchObject({
    size: 5,
    mimetype: 'image/png',
    extension: '.png',
  })
  expect(JSON.parse(treeText(value))).toEqual({
    _type: 'CustomWeaveType',
    weave_type: { type: 'weave.type_wrappers.Content.content.Content' },
    load_op: null,
    files: Object.fromEntries(files.map(({ name, digest }) => [name, digest])),
  })
})
