import { useRef, useState } from 'preact/hooks'
import { useShown } from '../../shared/controls/mounted.ts'
import { isSame } from './drafts/changes.ts'
import type { PropertyDraft } from './drafts/draft.ts'
import type { Placed } from './drafts/field-ids.ts'
import { incomplete, type Problems, problemsBeside, problemsLeft, problemsOf } from './drafts/problems.ts'
import { readForm } from './drafts/reading.ts'

type Values = Readonly<Record<string, unknown>>

export interface Form {
  readonly drafts: readonly PropertyDraft[]
  /** What was wrong and is not any longer goes. */
  readonly setDrafts: (drafts: readonly PropertyDraft[]) => void
  readonly problems: Problems | undefined
  readonly setProblems: (problems: Problems | undefined) => void
  /** The browser can read what stands at this place. */
  readonly settle: (place: string) => void
  readonly busy: boolean
  /** Whether something was typed. */
  readonly dirty: boolean
  /** Reads the form and acts with its values, unless something is wrong. One at a time, however often it is called. */
  readonly submit: (act: (values: Values) => Promise<void>, more?: readonly Placed[]) => Promise<void>
  /** Acts without reading; what fails is shown. */
  readonly attempt: (act: () => Promise<void>, drafts?: readonly PropertyDraft[]) => Promise<void>
  /** Whoever has left meanwhile is not to be led anywhere. */
  readonly isShown: () => boolean
}

/** `former`: the values of a member that exists. */
export function useForm(initial: readonly PropertyDraft[], former?: Values): Form {
  const [drafts, setDrafts] = useState(initial)
  const [problems, setProblems] = useState<Problems>()
  const [busy, setBusy] = useState(false)
  // At once: what is drawn comes later, and a second click may be earlier.
  const acting = useRef(false)
  const isShown = useShown()

  async function attempt(act: () => Promise<void>, used = drafts): Promise<void> {
    if (acting.current) return
    acting.current = true
    setBusy(true)
    try {
      await act()
    } catch (error) {
      if (isShown()) setProblems(problemsOf(error, used))
    } finally {
      acting.current = false
      if (isShown()) setBusy(false)
    }
  }

  /** As somebody types: what was wrong and is corrected is not said any longer. */
  function change(next: readonly PropertyDraft[]): void {
    setDrafts(next)
    if (problems) setProblems(problemsLeft(problems, drafts, next, readForm(next, former).violations))
  }

  return {
    drafts,
    setDrafts: change,
    problems,
    setProblems,
    settle: (place) => setProblems((before) => before && problemsBeside(before, place)),
    busy,
    dirty: !isSame(drafts, initial),
    attempt,
    isShown,
    async submit(act, more = []) {
      const { values, violations } = readForm(drafts, former)
      const wrong = [...violations, ...more]
      if (wrong.length > 0) setProblems(incomplete(wrong))
      else await attempt(() => act(values))
    },
  }
}
