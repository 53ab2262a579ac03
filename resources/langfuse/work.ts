/** What is done with Langfuse's bodies in threads, since they may be long. Pure. */
import { itemCreate } from '../../contract/langfuse-datasets.js'
import { split } from '../evaluation/bodies.js'
import { rowDigest } from './datasets/item.js'

export const LANGFUSE_WORK = {
  langfuseItem: (bytes: Uint8Array) => split(bytes, itemCreate.body!, 'input', 'expectedOutput', 'metadata'),
  rowDigest,
}
