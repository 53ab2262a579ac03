/** The text of a form's field, and its end: what is sent is shown before that is known, and the next may be written by then. */

export const textIn = (form: HTMLFormElement, field: string): string =>
  String(new FormData(form).get(field) ?? '').trim()

/** Empties a form whose `text` was sent, unless something else is written there by now. */
export function emptyAfter(form: HTMLFormElement, field: string, text: string): void {
  if (textIn(form, field) === text) form.reset()
}
