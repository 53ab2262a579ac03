// Lists of packages in CycloneDX, without what differs from run to run.
import { writeFileSync } from 'node:fs'

/** @param text as a tool wrote it */
export function writeBom(path, text) {
  const { serialNumber: _, ...bom } = JSON.parse(text)
  const { timestamp: _time, ...metadata } = bom.metadata ?? {}
  writeFileSync(path, `${JSON.stringify({ ...bom, metadata }, undefined, 1)}\n`)
}
