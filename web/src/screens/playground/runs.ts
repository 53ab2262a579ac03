/** The answers of several models at once, as they stream. */
import { useCallback, useEffect, useRef, useState } from 'react'
import { streamCompletion } from '../../api/completions'
import { type Answer, type Line, NO_ANSWER, withLines } from './answer'
import { type Draft, inputsOf } from './draft'

export function useRuns(project: string) {
  /** one for each model */
  const [answers, setAnswers] = useState<readonly (Answer | undefined)[]>([])
  const [isBusy, setBusy] = useState(false)
  const running = useRef<AbortController>(undefined)
  const stop = useCallback(() => running.current?.abort(), [])
  useEffect(() => stop, [stop])

  const run = async (draft: Draft) => {
    stop()
    const controller = new AbortController()
    running.current = controller
    const began = performance.now()
    const change = (i: number, next: (old: Answer) => Answer) => {
      if (running.current !== controller) return
      setAnswers((old) => old.map((one, j) => (i === j ? next(one ?? NO_ANSWER) : one)))
    }
    setBusy(true)
    setAnswers(draft.models.map((model) => (model === '' ? undefined : NO_ANSWER)))
    await Promise.all(
      draft.models.map(async (model, i) => {
        if (model === '') return
        const at = () => performance.now() - began
        try {
          for await (const lines of streamCompletion<Line>(
            project,
            inputsOf(draft, model),
            controller.signal,
          ))
            change(i, (old) => withLines(old, lines, at()))
        } catch (error) {
          const message = controller.signal.aborted
            ? 'Stopped.'
            : error instanceof Error
              ? error.message
              : String(error)
          change(i, (old) => ({ ...old, error: message }))
        }
        change(i, (old) => ({ ...old, endedAt: at() }))
      }),
    )
    if (running.current === controller) setBusy(false)
  }
  return { answers, isBusy, run, stop }
}
