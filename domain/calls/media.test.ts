import { expect, it } from 'vitest'
import { mediaIn } from './media.js'

const langfuse = (type: string) => `@@@langfuseMedia:type=${type}|id=ABCDEFGHIJKLMNOPQRSTU-|source=bytes@@@`
const weave = (files: object) => ({ _type: 'CustomWeaveType', weave_type: { type: 'x' }, files })

it('media are found wherever a value names them, each once', () => {
  const png = langfuse('image/png')
  const value = {
    messages: [{ content: [{ type: 'image_url', image_url: { url: png } }, { image: png }] }],
    sound: weave({ 'audio.wav': 'd1' }),
    other: [weave({ content: 'd2', 'metadata.json': 'd3' }), weave({ 'obj.py': 'd4' })],
  }
  expect(mediaIn(value)).toEqual([
    { uri: png, type: 'image/png' },
    { uri: 'd1', type: 'audio/wav' },
    { uri: 'd2', type: '' },
  ])
})

it('a text that only speaks of media names none', () => {
  expect(mediaIn([`see ${langfuse('image/png')}`, langfuse('image'), { files: { 'a.png': 'd' } }])).toEqual(
    [],
  )
})

it('media in the value itself are found, and other data is text', () => {
  const [png, pdf] = ['data:image/png;base64,AAAA', 'data:application/pdf;base64,AAAA']
  const value = {
    messages: [{ content: [{ file: { file_data: pdf } }, png] }],
    page: 'data:text/html;base64,AAAA',
  }
  expect(mediaIn(value)).toEqual([
    { uri: pdf, type: 'application/pdf' },
    { uri: png, type: 'image/png' },
  ])
})
