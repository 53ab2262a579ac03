/** A question in words that a served model makes a filter of. It is looked at before it is applied. */
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ApiError } from '../../api/client'
import { complete, modelsQuery } from '../../api/completions'
import { useMay } from '../../api/session'
import { Button } from '../../ui/button'
import { useKept } from '../../ui/kept'
import { FORMAT, instructions, type Meant, meantBy } from './question'

interface Props {
  project: string
  apply: (filter: Meant) => void
}

/** Nothing where no model is served. */
export function Ask({ project, apply }: Props) {
  const mayAsk = useMay('write', project, 'Completions')
  const { data: models = [] } = useQuery({ ...modelsQuery(project), enabled: mayAsk })
  const [kept, keep] = useKept(`ask.${project}`, '')
  const [question, setQuestion] = useState('')
  const model = models.includes(kept) ? kept : models[0]
  const asking = useMutation({ mutationFn: () => filterFor(project, model!, question) })
  if (model === undefined) return null
  return (
    <form
      className="traces-ask"
      onSubmit={(event) => {
        event.preventDefault()
        if (question.trim() !== '') asking.mutate()
      }}
    >
      <input
        className="input grow"
        aria-label="Question in words"
        placeholder="or in words: failed calls of gpt-4o last week"
        maxLength={2_000}
        value={question}
        onChange={({ target }) => {
          setQuestion(target.value)
          asking.reset()
        }}
      />
      <select
        className="select"
        aria-label="Model that is asked"
        value={model}
        onChange={({ target }) => keep(target.value)}
      >
        {models.map((name) => (
          <option key={name}>{name}</option>
        ))}
      </select>
      <Button type="submit" disabled={asking.isPending}>
        {asking.isPending ? 'Asking…' : 'Ask'}
      </Button>
      {asking.error && (
        <p className="bad" role="alert">
          {asking.error.message}
        </p>
      )}
      {asking.data && (
        <p role="status">
          <code>{asking.data.filter}</code>{' '}
          <span className="muted">{asking.data.all ? 'of all calls' : 'of whole traces'}</span>{' '}
          <Button tone="primary" onClick={() => apply(asking.data)}>
            Use this filter
          </Button>
        </p>
      )}
    </form>
  )
}

/** The model gets one chance to correct its answer. */
async function filterFor(project: string, model: string, question: string): Promise<Meant> {
  const messages = [
    { role: 'system', content: instructions(new Date()) },
    { role: 'user', content: question },
  ]
  const first = await answerTo(project, model, messages)
  try {
    return meantBy(first)
  } catch (error) {
    const content = `That can't be used. ${(error as Error).message} Answer again.`
    const second = await answerTo(project, model, [
      ...messages,
      { role: 'assistant', content: first },
      { role: 'user', content },
    ])
    try {
      return meantBy(second)
    } catch (again) {
      throw new Error(`${model} wrote no filter that can be used. ${(again as Error).message}`)
    }
  }
}

/** Models that take no schema are asked without one. */
async function answerTo(project: string, model: string, messages: object[]): Promise<string> {
  const inputs = { model, messages, temperature: 0 }
  try {
    return await complete(project, { ...inputs, response_format: FORMAT })
  } catch (error) {
    if (error instanceof ApiError) throw error
    return complete(project, inputs)
  }
}
