/** Texts with places such as {{name}}. Pure. */

const PLACE = /\{\{\s*([^{}]*?)\s*\}\}/g

/** @returns the first name in a text that is none of these; undefined: there is none */
export function unknownPlace(text: string, names: readonly string[]): string | undefined {
  return [...text.matchAll(PLACE)].map(([, name = '']) => name).find((name) => !names.includes(name))
}

export function fillPlaces(text: string, values: Readonly<Record<string, string>>): string {
  return text.replaceAll(PLACE, (_, name: string) => values[name] ?? '')
}
