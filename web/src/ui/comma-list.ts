/** What a person typed as a list, with commas between. Pure. */
export const commaList = (text: string): string[] =>
  text
    .split(',')
    .map((one) => one.trim())
    .filter(Boolean)
