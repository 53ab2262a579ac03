/**
 * Reasoning as a text that a caller can keep and send back, signed so that a damaged or foreign one is noticed. It hides
 * nothing. Pure.
 */
import { createHmac, timingSafeEqual } from 'node:crypto'

const MAC_BYTES = 32

/** @param secret signs it */
export function sealReasoning(text: string, secret: string): string {
  const bytes = Buffer.from(text)
  return Buffer.concat([mac(bytes, secret), bytes]).toString('base64')
}

/** The reasoning of a token that one of `secrets` signed; undefined: it is damaged, or of another provider. */
export function openReasoning(token: string, secrets: readonly string[]): string | undefined {
  const bytes = Buffer.from(token, 'base64')
  const [signature, text] = [bytes.subarray(0, MAC_BYTES), bytes.subarray(MAC_BYTES)]
  const isOurs =
    signature.length === MAC_BYTES && secrets.some((secret) => timingSafeEqual(signature, mac(text, secret)))
  return isOurs ? text.toString('utf8') : undefined
}

function mac(bytes: Uint8Array, secret: string): Buffer {
  return createHmac('sha256', secret).update('reasoning').update(bytes).digest()
}
