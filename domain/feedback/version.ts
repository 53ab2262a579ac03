/** Which of two rows of the table `feedback` with one key wins: the one with the larger `ver`. Pure. */

/** µs since the epoch, in the year 2096: what is made has a `ver` below, what changes it one above. */
const MIDDLE = 4e15

/** The `ver` of feedback that was made: the first of two stays. */
export const verOfMade = (micros: number) => MIDDLE - micros
/** The `ver` of what changes feedback: the last one stays. */
export const verOfChange = (micros: number) => MIDDLE + micros
