/**
 * Looks for keys and passwords in training data: a model may repeat what it was trained on to anyone. It recognizes the
 * key formats of well-known services, and values under names of credentials; it can't find them all. Pure.
 */
import { isCredentialKey, REDACTED } from '../../domain/calls/credential-keys.js'
import { isObject } from '../../platform/json/object.js'
import type { ChatMessage } from './messages.js'

const FORMS = [
  /-----BEGIN [A-Z ]*PRIVATE KEY-----/,
  /\b(?:sk|pk|rk)[-_](?:[a-z]+[-_])*[A-Za-z\d]{20,}/,
  /\bhk_[A-Za-z\d]{32,}/,
  /\bhf_[A-Za-z\d]{30,}/,
  /\b(?:AKIA|ASIA)[A-Z\d]{16}\b/,
  /\bgh[pousr]_[A-Za-z\d]{36}/,
  /\bgithub_pat_\w{22,}/,
  /\bglpat-[\w-]{20,}/,
  /\bxox[abeoprs]-[\w-]{10,}/,
  /\bAIza[\w-]{35}/,
  /\beyJ[\w-]{10,}\.eyJ[\w-]{10,}\.[\w-]{10,}/,
  /\b(?:Bearer|Basic) +[\w+/=.-]{24,}/,
  /\b[a-z][a-z+]*:\/\/[^\s/:@]+:[^\s/@]{4,}@[^\s/]/,
]

/** True if a text, or a tool's argument, looks like a credential. */
export function holdsSecret(messages: readonly ChatMessage[]): boolean {
  return messages.some(({ content, tool_calls: calls = [] }) => {
    const texts = [content ?? '', ...calls.map((call) => call.function.arguments)]
    return (
      texts.some((text) => FORMS.some((form) => form.test(text))) ||
      calls.some((call) => credentialIn(parsed(call.function.arguments)))
    )
  })
}

function credentialIn(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(credentialIn)
  if (!isObject(value)) return false
  return Object.entries(value).some(([key, one]) =>
    typeof one === 'string' ? one !== '' && one !== REDACTED && isCredentialKey(key) : credentialIn(one),
  )
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
