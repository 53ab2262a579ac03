/** Where the files of a trained model lie in the artifact store, and what an address there is called as a key. Pure. */

/** Of everything that is one model's. */
export const modelPrefix = (modelId: string) => `training/${modelId}`
/** Of the data of a job. */
export const dataKey = (modelId: string, jobId: string) => `${modelPrefix(modelId)}/jobs/${jobId}/data.jsonl`
/** Of trajectory groups that were logged. */
export const logKey = (modelId: string, id: string) => `${modelPrefix(modelId)}/logs/${id}.jsonl`

/** The address of a key, as nodes understand it. @param root of the store: a whole path, or s3://bucket/prefix */
export function addressOf(root: string, key: string): string {
  return `${root.replace(/\/+$/, '')}/${key}`
}

/** The key of an address; undefined if it does not lie in the store. */
export function keyOf(root: string, address: string): string | undefined {
  const before = `${root.replace(/\/+$/, '')}/`
  return address.startsWith(before) ? address.slice(before.length).replace(/\/+$/, '') : undefined
}
