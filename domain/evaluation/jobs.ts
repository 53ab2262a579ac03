import type { ChangeMarks } from '../../platform/clickhouse/change-marks.js'
import { bind, sql } from '../../platform/clickhouse/sql.js'
import type { Store } from '../../platform/clickhouse/store.js'
import { projectIdOf } from '../../platform/ids/project.js'
import { isoOfMicros, nowMicros } from '../../platform/time/iso.js'
import { nextVersion } from '../../platform/time/versions.js'
import { type Plan, plan } from './plan.js'

export interface EvaluationJob {
  project: string
  id: string
  /** the user who requested it */
  userId: string
  username: string
  plan: Plan
}

export interface JobKey {
  /** internal id of the project */
  project: string
  id: string
}

/** How long a finished job can be read. */
const KEPT_MS = 7 * 86_400_000

/** Stores a new job. */
export async function insertJob(store: Store, job: EvaluationJob): Promise<void> {
  const { project, id, userId, username } = job
  await store.insertRows('evaluation_jobs', [
    {
      ...{ project_id: projectIdOf(project), id, project, user_id: userId, username, done: 0 },
      plan: JSON.stringify(job.plan),
      created_at: isoOfMicros(nowMicros()),
      ver: String(nextVersion()),
    },
  ])
}

/** The job, if it is unfinished. @throws an error naming the job if its plan can't be read */
export async function openJob(store: Store, { project, id }: JobKey): Promise<EvaluationJob | undefined> {
  const row = await store.row<{ project: string; user_id: string; username: string; plan: string }>(sql`
    SELECT project, user_id, username, plan FROM evaluation_jobs FINAL
    WHERE project_id = ${bind.string(project)} AND id = ${bind.string(id)} AND done = 0`)
  if (!row) return undefined
  const read = plan.safeParse(JSON.parse(row.plan))
  if (!read.success) throw new Error(`the plan of evaluation ${id} is from an unknown release`)
  return { project: row.project, id, userId: row.user_id, username: row.username, plan: read.data }
}

/** Unfinished jobs, oldest first; at most `most`. */
export function waitingJobs(store: Store, most: number): Promise<JobKey[]> {
  return store.rows<JobKey>(sql`
    SELECT project_id AS project, id FROM evaluation_jobs FINAL
    WHERE done = 0 ORDER BY created_at, id LIMIT ${bind.uint(most)}`)
}

/** The number of unfinished jobs a few seconds ago. */
export async function waitingLately(marks: ChangeMarks): Promise<number> {
  return Number(
    await marks.of('evaluation jobs', sql`toString(count())`, sql`evaluation_jobs FINAL WHERE done = 0`),
  )
}

/** The number of unfinished jobs of a project. @param project internal id */
export async function waitingIn(store: Store, project: string): Promise<number> {
  const where = sql`project_id = ${bind.string(project)} AND done = 0`
  return (await store.value<number>(sql`SELECT count() FROM evaluation_jobs FINAL WHERE ${where}`)) ?? 0
}

/** Marks a job as finished. */
export async function closeJob(store: Store, { project, id }: JobKey): Promise<void> {
  const forget = bind.int(Math.floor((Date.now() + KEPT_MS) / 1000))
  await store.run(sql`
    INSERT INTO evaluation_jobs SELECT * REPLACE('' AS plan, 1 AS done, ver + 1 AS ver, toDateTime(${forget}) AS expire_at)
    FROM (SELECT * FROM evaluation_jobs FINAL
      WHERE project_id = ${bind.string(project)} AND id = ${bind.string(id)} AND done = 0)`)
}
