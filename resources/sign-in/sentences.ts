/** What the sign-in page says of an error that a browser was sent back with: the code alone is in its address. */
import { errors } from '../../platform/errors/catalog.js'

const SENTENCES = new Map(
  [
    errors.signInExpired(),
    errors.signInUsed(),
    errors.signInBadAnswer(),
    errors.signInRefused(),
    errors.signInDenied(),
    errors.signInNotAllowed(),
    errors.signInEmailNotVerified(),
    errors.signInNameTaken(),
    errors.signInMisconfigured('see the log'),
    errors.signInProviderDown(),
    errors.signInNoProvider(),
    errors.signInBadLink(),
    errors.signInTooOften(),
    errors.userInactive(),
    errors.overloaded(),
    errors.stopping(),
  ].map(({ code, reason }) => [code, reason]),
)

/** The sentence of a code; of any other, that something failed. */
export function sentenceOf(code: string): string {
  const named = /^[A-Z][A-Z_]{1,60}$/.test(code) ? ` (${code})` : ''
  return (
    SENTENCES.get(code) ??
    `Signing in failed${named}; try again in a minute, and tell an operator if that does not help.`
  )
}
