/** Versions of rows in the table `feedback`: of two rows with one key, the larger `ver` wins. Pure. */

/** µs since the epoch, in the year 2096: creations have a `ver` below it, changes above. */
const MIDDLE = 4e15

/** The `ver` of created feedback: the earlier of two wins. */
export const verOfMade = (micros: number) => MIDDLE - micros
/** The `ver` of a change to feedback: the later of two wins. */
export const verOfChange = (micros: number) => MIDDLE + micros
