/**
 * The editor of the filter: CodeMirror with one line that wraps, completion, and marks where the text is no filter. It lives in
 * a shadow root, where its styles need no `<style>`, which the page's policy would refuse.
 */
import {
  autocompletion,
  type CompletionContext,
  type CompletionResult,
  startCompletion,
} from '@codemirror/autocomplete'
import { history, historyKeymap, standardKeymap } from '@codemirror/commands'
import { linter } from '@codemirror/lint'
import { Compartment, EditorState } from '@codemirror/state'
import {
  Decoration,
  EditorView,
  keymap,
  MatchDecorator,
  placeholder,
  tooltips,
  ViewPlugin,
} from '@codemirror/view'
import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react'
import { pathOf } from '../../../../domain/calls/listed-fields'
import type { Call } from '../../api/client'
import {
  type Completion,
  fieldCompletions,
  hasValues,
  placeAt,
  valueCompletions,
  valuesIn,
} from './completion'
import { compile, LanguageError } from './language'

interface Props {
  value: string
  isWrong: boolean
  callsAtHand: () => readonly Call[]
  /** how many calls have which values of a field */
  counted: (path: string) => Promise<ReadonlyMap<string, number>>
  field: RefObject<HTMLElement | null>
  submit: (text: string) => void
  /** what was typed before the editor was there, and where the cursor stood */
  typed: RefObject<string>
  cursor: RefObject<number | null>
  /** it takes the place of a field that had the focus */
  isFocused: boolean
  example: string
}

export function FilterEditor({
  value,
  isWrong,
  callsAtHand,
  counted,
  field,
  submit,
  typed,
  cursor,
  isFocused,
  example,
}: Props) {
  const host = useRef<HTMLDivElement>(null)
  const view = useRef<EditorView>(null)
  const latest = useRef({ callsAtHand, counted, submit })
  latest.current = { callsAtHand, counted, submit }
  const attributes = useRef(new Compartment())

  // At once: what is typed between the end of the field before and this would be lost.
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is handed over is read once
  useLayoutEffect(() => {
    const root = host.current!.shadowRoot ?? host.current!.attachShadow({ mode: 'open' })
    const doc = typed.current
    const anchor = Math.min(cursor.current ?? doc.length, doc.length)
    const editor = new EditorView({
      root,
      parent: root,
      state: EditorState.create({
        doc,
        selection: { anchor },
        extensions: [
          EditorView.lineWrapping,
          EditorView.clipboardInputFilter.of((text) => text.replaceAll(/\s*\n\s*/g, ' ')),
          history(),
          autocompletion({
            override: [(context) => completed(context, latest.current)],
            // Enter asks for the calls, unless one has gone into the list.
            selectOnOpen: false,
            interactionDelay: 0,
            icons: false,
          }),
          keymap.of([
            {
              key: 'Enter',
              shift: submitted,
              run: submitted,
            },
            ...historyKeymap,
            ...standardKeymap,
          ]),
          typedOver,
          tooltips({ position: 'fixed' }),
          linter(problems, { delay: 400 }),
          words,
          placeholder(example),
          theme,
          attributes.current.of(attributesOf(isWrong)),
          EditorView.updateListener.of(({ docChanged, state }) => {
            if (docChanged) typed.current = state.doc.toString()
          }),
        ],
      }),
    })
    function submitted({ state }: EditorView): boolean {
      latest.current.submit(state.doc.toString().replaceAll('\n', ' '))
      return true
    }
    view.current = editor
    field.current = editor.contentDOM
    if (isFocused) {
      editor.focus()
      // What was typed while it loaded gets its completions, too.
      if (doc !== value) startCompletion(editor)
    }
    return () => editor.destroy()
  }, [])

  useEffect(() => {
    view.current?.dispatch({ effects: attributes.current.reconfigure(attributesOf(isWrong)) })
  }, [isWrong])
  const given = useRef(value)
  useEffect(() => {
    const editor = view.current
    // Until it changes, what was typed stays.
    if (editor === null || given.current === value) return
    given.current = value
    const { doc } = editor.state
    if (doc.toString() === value) return
    editor.dispatch({
      changes: { from: 0, to: doc.length, insert: value },
      selection: { anchor: value.length },
    })
  }, [value])

  return <div ref={host} className="traces-editor" />
}

/**
 * What is typed over a selection is put there by the editor: Chromium would give it the colour of what was selected, by a style
 * that the page's policy refuses.
 */
const typedOver = EditorView.domEventHandlers({
  beforeinput: (event, view) => {
    const { data, inputType, isComposing } = event
    if (inputType !== 'insertText' || data === null || isComposing) return false
    const [from, to] = selectedIn(view)
    if (from === to) return false
    view.dispatch({
      changes: { from, to, insert: data },
      selection: { anchor: from + data.length },
      ...{ userEvent: 'input.type', scrollIntoView: true },
    })
    event.preventDefault()
    return true
  },
})

/** What is selected now: the editor may not have looked since it changed. Only Chromium says so within a shadow root. */
function selectedIn(view: EditorView): [from: number, to: number] {
  const range = (view.root as Pick<Document, 'getSelection'> | { getSelection?: undefined }).getSelection?.()
  if (!range?.anchorNode || !range.focusNode || !view.contentDOM.contains(range.anchorNode)) {
    const { from, to } = view.state.selection.main
    return [from, to]
  }
  const anchor = view.posAtDOM(range.anchorNode, range.anchorOffset)
  const focus = view.posAtDOM(range.focusNode, range.focusOffset)
  return [Math.min(anchor, focus), Math.max(anchor, focus)]
}

const attributesOf = (isWrong: boolean) =>
  EditorView.contentAttributes.of({
    'aria-label': 'Filter',
    'aria-invalid': String(isWrong),
    'aria-multiline': 'false',
    spellcheck: 'false',
    autocapitalize: 'off',
  })

type Sources = Pick<Props, 'callsAtHand' | 'counted'>

async function completed(
  context: CompletionContext,
  { callsAtHand, counted }: Sources,
): Promise<CompletionResult | null> {
  const place = placeAt(context.state.sliceDoc(0, context.pos))
  if (place === undefined) return null
  if (place.kind === 'field') {
    if (place.begun === '' && !context.explicit) return null
    return resultOf(place.from, fieldCompletions(place.begun, callsAtHand()))
  }
  const path = pathOf(place.field)
  if (path === undefined) return null
  // What the service can't say is still among the calls at hand.
  const counts = hasValues(place.field) ? await counted(path).catch(() => undefined) : undefined
  if (context.aborted) return null
  return resultOf(place.from, valueCompletions(place, valuesIn(callsAtHand(), place.field), counts))
}

const resultOf = (from: number, found: readonly Completion[]): CompletionResult | null =>
  found.length === 0
    ? null
    : {
        from,
        filter: false,
        options: found.map(({ text, label, about }) => ({
          label,
          ...(about !== undefined && { detail: about }),
          apply: (view, _, from, to) => {
            view.dispatch({ changes: { from, to, insert: text }, selection: { anchor: from + text.length } })
            if (text.endsWith(':')) startCompletion(view)
          },
        })),
      }

/** Where the text is no filter. */
function problems({ state }: EditorView) {
  const text = state.doc.toString()
  try {
    compile(text)
    return []
  } catch (error) {
    if (!(error instanceof LanguageError)) throw error
    const from = Math.min(error.at, Math.max(0, text.length - 1))
    const to = Math.min(Math.max(error.to, from), text.length)
    return [{ from, to, severity: 'error' as const, message: error.message }]
  }
}

const mark = (name: string) => Decoration.mark({ class: name })
const [FIELD, TEXT, WORD] = [mark('filter-field'), mark('filter-text'), mark('filter-word')]

/** Fields, quoted texts, and the words of the language. */
const matches = new MatchDecorator({
  regexp: /"(?:[^"\\]|\\.)*"?|[^\s()":!=~<>-][^\s()":!=~<>]*(?=!=|!~|[:=~<>])|\b(?:and|or|not)\b(?=[\s()])/gi,
  decoration: ([found]) => (found.startsWith('"') ? TEXT : /^(and|or|not)$/i.test(found) ? WORD : FIELD),
})
const words = ViewPlugin.define(
  (view) => ({
    decorations: matches.createDeco(view),
    update(update) {
      this.decorations = matches.updateDeco(update, this.decorations)
    },
  }),
  { decorations: (plugin) => plugin.decorations },
)

const theme = EditorView.theme({
  '&': {
    minHeight: '28px',
    maxHeight: '120px',
    border: '1px solid var(--line-strong)',
    borderRadius: '6px',
    background: 'var(--surface)',
    color: 'var(--text)',
    font: '12px / 20px var(--mono)',
  },
  '&.cm-focused': { outline: '2px solid var(--accent)', outlineOffset: '-1px' },
  '.cm-scroller': { fontFamily: 'inherit', lineHeight: 'inherit', overflow: 'auto' },
  '.cm-content': { padding: '3px 0', caretColor: 'var(--text)' },
  '.cm-line': { padding: '0 8px' },
  '.cm-placeholder': { color: 'var(--faint)' },
  '.filter-field': { color: 'var(--accent-text)' },
  '.filter-text': { color: 'var(--good)' },
  '.filter-word': { fontWeight: '600' },
  '.cm-tooltip': {
    border: '1px solid var(--line-strong)',
    borderRadius: '6px',
    background: 'var(--raised)',
    color: 'var(--text)',
    boxShadow: 'var(--shadow)',
    overflow: 'hidden',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul': { fontFamily: 'var(--mono)', maxHeight: '260px' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li': { display: 'flex', gap: '12px', padding: '3px 8px' },
  '.cm-tooltip-autocomplete ul li[aria-selected]': { background: 'var(--chosen)', color: 'var(--text)' },
  '.cm-completionLabel': { flex: '1' },
  '.cm-completionDetail': { color: 'var(--muted)', fontStyle: 'normal', fontFamily: 'var(--sans)' },
  '.cm-diagnostic': { padding: '4px 8px', fontFamily: 'var(--sans)' },
  '.cm-diagnostic-error': { borderLeft: '3px solid var(--bad)' },
})
