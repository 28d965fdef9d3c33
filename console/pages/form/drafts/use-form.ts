import { useRef, useState } from 'preact/hooks'
import { useMounted } from '../../../shared/controls/index.ts'
import type { Values } from '../../../shared/values/index.ts'
import { isSame } from './changes.ts'
import type { PropertyDraft } from './draft.ts'
import type { Problem } from './field-ids.ts'
import { incomplete, type Problems, problemsBeside, problemsLeft, problemsOf } from './problems.ts'
import { readForm } from './reading.ts'

export interface Form {
  readonly drafts: readonly PropertyDraft[]
  readonly setDrafts: (drafts: readonly PropertyDraft[]) => void
  readonly problems: Problems | undefined
  readonly setProblems: (problems: Problems | undefined) => void
  /** The browser can read the value of this field again. */
  readonly clearProblem: (id: string) => void
  readonly busy: boolean
  readonly dirty: boolean
  /** Reads the form and acts with its values, unless something is wrong. One at a time, however often it is called. */
  readonly submit: (act: (values: Values) => Promise<void>, more?: readonly Problem[]) => Promise<void>
  readonly attempt: (act: () => Promise<void>, drafts?: readonly PropertyDraft[]) => Promise<void>
  /** Only a form that is still shown leads to another page. */
  readonly isMounted: () => boolean
}

export function useForm(initial: readonly PropertyDraft[], former?: Values): Form {
  const [drafts, setDrafts] = useState(initial)
  const [problems, setProblems] = useState<Problems>()
  const [busy, setBusy] = useState(false)
  // A ref: a second click may come before the form is drawn as busy.
  const acting = useRef(false)
  const isMounted = useMounted()

  async function attempt(act: () => Promise<void>, used = drafts): Promise<void> {
    if (acting.current) return
    acting.current = true
    setBusy(true)
    try {
      await act()
    } catch (error) {
      if (isMounted()) setProblems(problemsOf(error, used))
    } finally {
      acting.current = false
      if (isMounted()) setBusy(false)
    }
  }

  return {
    drafts,
    setDrafts(next) {
      setDrafts(next)
      if (problems) setProblems(problemsLeft(problems, drafts, next, readForm(next, former).violations))
    },
    problems,
    setProblems,
    clearProblem: (id) => setProblems((before) => before && problemsBeside(before, id)),
    busy,
    dirty: !isSame(drafts, initial),
    attempt,
    isMounted,
    async submit(act, more = []) {
      const { values, violations } = readForm(drafts, former)
      const wrong = [...violations, ...more]
      if (wrong.length > 0) setProblems(incomplete(wrong))
      else await attempt(() => act(values))
    },
  }
}
