/** Chooses the columns and their order. */
import { type FormEvent, useId, useState } from 'react'
import type { Call } from '../../api/client'
import { useProject } from '../../app/project'
import { Button, IconButton } from '../../ui/button'
import { Popover } from '../../ui/menu'
import { columnOf, DEFAULT_COLUMNS, FIXED_COLUMNS, pathsIn } from './columns'
import { useScores } from './scores'
import { useTall } from './tall'

export function ColumnPicker({
  chosen,
  choose,
  calls,
}: {
  chosen: readonly string[]
  choose: (ids: string[]) => void
  calls: readonly Call[]
}) {
  const [path, setPath] = useState('')
  const id = useId()
  const [isTall, setTall] = useTall()
  const move = (from: number, by: number) => {
    const next = [...chosen]
    const [one] = next.splice(from, 1)
    next.splice(from + by, 0, one!)
    choose(next)
  }
  const addPath = (event: FormEvent) => {
    event.preventDefault()
    if (columnOf(path) === undefined || chosen.includes(path)) return
    choose([...chosen, path])
    setPath('')
  }
  const others = FIXED_COLUMNS.filter((column) => !chosen.includes(column.id))
  return (
    <Popover label="Columns" trigger={<Button icon="columns">Columns</Button>}>
      <div className="traces-columns">
        <label className="check">
          <input type="checkbox" checked={isTall} onChange={({ target }) => setTall(target.checked)} />
          three lines a row
        </label>
        {chosen.map((one, i) => (
          <div key={one} className="row">
            <span className="grow cut">{columnOf(one)?.title ?? one}</span>
            <IconButton
              icon="up"
              label={`Move ${one} to the left`}
              disabled={i === 0}
              onClick={() => move(i, -1)}
            />
            <IconButton
              icon="down"
              label={`Move ${one} to the right`}
              disabled={i === chosen.length - 1}
              onClick={() => move(i, 1)}
            />
            <IconButton
              icon="close"
              label={`Hide ${one}`}
              disabled={chosen.length === 1}
              onClick={() => choose(chosen.filter((other) => other !== one))}
            />
          </div>
        ))}
        <form className="row" onSubmit={addPath}>
          <input
            className="input grow"
            list={id}
            aria-label="Path"
            placeholder="inputs.… output.… attributes.…"
            value={path}
            onChange={(event) => setPath(event.target.value)}
          />
          <datalist id={id}>
            {pathsIn(calls).map((one) => (
              <option key={one} value={one} />
            ))}
          </datalist>
          <Button type="submit">Add</Button>
        </form>
        <div className="row traces-others">
          {others.map((column) => (
            <Button key={column.id} tone="quiet" icon="plus" onClick={() => choose([...chosen, column.id])}>
              {column.title}
            </Button>
          ))}
          <ScoreButtons {...{ chosen, choose }} />
          <Button tone="quiet" onClick={() => choose(DEFAULT_COLUMNS)}>
            Reset
          </Button>
        </div>
      </div>
    </Popover>
  )
}

/** What scorers said lately. */
function ScoreButtons({ chosen, choose }: { chosen: readonly string[]; choose: (ids: string[]) => void }) {
  const { id: project } = useProject()
  const scores = useScores(project, true).filter(({ id }) => !chosen.includes(id))
  return scores.map(({ id, title }) => (
    <Button key={id} tone="quiet" icon="plus" onClick={() => choose([...chosen, id])}>
      {title}
    </Button>
  ))
}
