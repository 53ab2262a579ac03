/** Whether a process with this id runs on this machine, whoever's it is. */
export function isAlive(id: number): boolean {
  try {
    return process.kill(id, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
