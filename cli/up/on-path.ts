/** Finds programs on the PATH. */
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

/** The path of `program`; undefined if it is not on the PATH. */
export function onPath(program: string): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== '')
  return folders
    .map((folder) => join(folder, program))
    .find((path) => {
      try {
        accessSync(path, constants.X_OK)
        return true
      } catch {
        return false
      }
    })
}
