/**
 * Operations of the contract that the server has not got yet. A line goes from here into a file of its group when
 * the route is there; the suite fails on a line that is here and mounted.
 */
export const later: readonly string[] = []
