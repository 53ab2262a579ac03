/**
 * Encoding of messages, made from the `.proto` files themselves when they are loaded, so there is nothing to generate.
 */
import { readFileSync } from 'node:fs'
import protobuf from 'protobufjs'

const PACKAGE = 'heddle.node.v1'

/** Bytes of a message and back. */
export interface Codec<T> {
  encode(value: T): Buffer
  decode(bytes: Uint8Array): T
}

/** What makes codecs of a file's messages by their names. 64-bit numbers come out as doubles: none needs more. */
export function codecsOf(file: string): <T extends object>(name: string) => Codec<T> {
  const text = readFileSync(new URL(`./${file}`, import.meta.url), 'utf8')
  const root = protobuf.parse(text).root.resolveAll()
  return <T extends object>(name: string): Codec<T> => {
    const type = root.lookupType(`${PACKAGE}.${name}`)
    return {
      encode: (value) => Buffer.from(type.encode(type.fromObject(value)).finish()),
      // Every field is there with its default, which is what the types promise.
      decode: (bytes) =>
        type.toObject(type.decode(bytes), { longs: Number, defaults: true, oneofs: true }) as T,
    }
  }
}
