/**
 * The npm weave SDK with images and sounds, in an object and in what an op takes and gives. PROJECT names the project.
 * Reports the values it read back, and what should be in their files: it has no reader for them itself.
 */
import { createHash, randomBytes } from 'node:crypto'
import * as weave from 'weave'
import { report } from './result.mjs'

const client = await weave.init(process.env.PROJECT)
const found = {}

const image = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
)
const sound = randomBytes(200_000)

const ref = await client.publish(
  { image: weave.weaveImage({ data: image }), sound: weave.weaveAudio({ data: sound }), text: 'żółć' },
  'js-media',
)
const back = await client.get(ref)
const sha256 = (bytes) => createHash('sha256').update(bytes).digest('hex')
found.value = back
found.expected = [sha256(image), sha256(sound)]

const flip = weave.op(async function flip(picture) {
  return weave.weaveImage({ data: picture.data })
})
await flip(weave.weaveImage({ data: image }))
await client.waitForBatchProcessing()
report(found)
