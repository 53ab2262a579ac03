/** Keys of a trained model's files in the artifact store, and conversion between keys and addresses. Pure. */

/** The prefix of all files of a model. */
export const modelPrefix = (modelId: string) => `training/${modelId}`
/** The key of a job's data. */
export const dataKey = (modelId: string, jobId: string) => `${modelPrefix(modelId)}/jobs/${jobId}/data.jsonl`
/** The key of a job's data with the rewards that the service gave. */
export const rewardedKey = (modelId: string, jobId: string) =>
  `${modelPrefix(modelId)}/jobs/${jobId}/rewarded.jsonl`
/** The key of logged trajectory groups. */
export const logKey = (modelId: string, id: string) => `${modelPrefix(modelId)}/logs/${id}.jsonl`

/** The address of a key, as nodes use it. @param root root of the store: an absolute path, or s3://bucket/prefix */
export function addressOf(root: string, key: string): string {
  return `${root.replace(/\/+$/, '')}/${key}`
}

/** The key of an address; undefined if it is outside the store. */
export function keyOf(root: string, address: string): string | undefined {
  const before = `${root.replace(/\/+$/, '')}/`
  return address.startsWith(before) ? address.slice(before.length).replace(/\/+$/, '') : undefined
}
