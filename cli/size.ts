/** Sizes as text. */

const GIB = 2 ** 30

/** `1.5 GiB`, and below one `12.0 MiB`. */
export function size(bytes: number): string {
  return bytes < GIB ? `${(bytes / 2 ** 20).toFixed(1)} MiB` : `${(bytes / GIB).toFixed(1)} GiB`
}
