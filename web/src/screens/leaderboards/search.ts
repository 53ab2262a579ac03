/** What the address of a leaderboard holds. Pure. */

export interface LeaderboardSearch {
  /** the column that models are ranked by */
  by?: number | undefined
}

export const readLeaderboardSearch = ({ by }: Record<string, unknown>): LeaderboardSearch =>
  Number.isInteger(by) && Number(by) > 0 ? { by: Number(by) } : {}
