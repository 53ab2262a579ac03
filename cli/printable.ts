/** Texts of others on a terminal. */

/** `text` without the characters that move the cursor, change colours or the title; line breaks and tabs stay. */
export const printable = (text: string): string => text.replaceAll(/(?![\n\t])\p{Cc}/gu, '\uFFFD')
