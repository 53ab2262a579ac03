/** Texts that detectors find, made at random. */
import fc from 'fast-check'
import type { DetectorName } from '../../../contract/masking.js'

const digits = (length: number) => fc.stringMatching(new RegExp(`^\\d{${length}}$`))
const word = (min: number, max: number) => fc.stringMatching(new RegExp(`^[A-Za-z0-9]{${min},${max}}$`))

/** A number whose check digit (Luhn) is right, in groups as cards have them. */
const card = fc
  .tuple(fc.constantFrom('4', '51', '6011', '37'), fc.constantFrom('', ' ', '-'), digits(16))
  .map(([start, gap, rest]) => {
    const length = start === '37' ? 15 : 16
    const body = (start + rest).slice(0, length - 1)
    for (let last = 0; last < 10; last++) {
      const all = `${body}${last}`
      const sum = [...all].reverse().reduce((total, digit, i) => {
        const twice = Number(digit) * 2
        return total + (i % 2 === 0 ? Number(digit) : twice > 9 ? twice - 9 : twice)
      }, 0)
      if (sum % 10 === 0)
        return length === 15
          ? [all.slice(0, 4), all.slice(4, 10), all.slice(10)].join(gap)
          : (all.match(/\d{4}/g) ?? []).join(gap)
    }
    return body
  })

const iban = fc
  .tuple(fc.constantFrom('DE', 'NO', 'GB'), fc.boolean(), word(18, 18))
  .map(([land, spaced, rest]) => {
    const body = rest.toUpperCase().slice(0, land === 'NO' ? 11 : 18)
    const plain = land === 'NO' ? body.replace(/\D/g, '7') : body
    const turned = `${plain}${land}00`.replace(/[A-Z]/g, (letter) => String(letter.charCodeAt(0) - 55))
    const check = String(98n - (BigInt(turned) % 97n)).padStart(2, '0')
    const whole = `${land}${check}${plain}`
    return spaced ? (whole.match(/.{1,4}/g) ?? []).join(' ') : whole
  })

/** Of each detector, so that the compiler asks for those of a new one. */
const texts: Readonly<Record<DetectorName, readonly fc.Arbitrary<string>[]>> = {
  email: [fc.tuple(word(1, 20), word(1, 20)).map(([name, host]) => `${name}@${host}.io`)],
  card: [card],
  iban: [iban],
  us_ssn: [digits(9).map((all) => `1${all.slice(1, 3)}-${all.slice(3, 5)}-${all.slice(5)}`)],
  phone: [
    digits(10).map((all) => `(${all.slice(0, 3)}) ${all.slice(3, 6)}-${all.slice(6)}`),
    digits(10).map((all) => `${all.slice(0, 3)}.${all.slice(3, 6)}.${all.slice(6)}`),
    fc
      .tuple(digits(9), fc.constantFrom('', ' ', '-'))
      .map(([all, gap]) => `+49${gap}${all.slice(0, 2)}${gap}${all.slice(2, 5)}${gap}${all.slice(5)}`),
  ],
  ip: [fc.ipV4(), fc.ipV6()],
  key: [
    word(20, 40).map((rest) => `sk-1${rest}`),
    word(16, 30).map((rest) => `sk_live_${rest}`),
    word(36, 40).map((rest) => `ghp_${rest}`),
    word(12, 40).map((rest) => `xoxb-${rest}`),
    word(16, 16).map((rest) => `AKIA${rest.toUpperCase()}`),
    word(43, 43).map((rest) => `hk_${rest}`),
    fc.tuple(word(14, 30), word(10, 30), word(5, 9)).map(([a, b, c]) => `eyJ${a}.${b}.${c}`),
    word(32, 90).map((rest) => `-----BEGIN OPENSSH PRIVATE KEY-----\n${rest}\n-----END PRIVATE KEY-----`),
  ],
}

export const bytesOfDetected = fc.oneof(...Object.values(texts).flat()).map((one) => Buffer.from(one))
