import type { ClassDescription, CollectionDescription } from 'hydrant-client'
import { useMemo, useRef, useState } from 'preact/hooks'
import { useApi } from '../../../shared/connection/index.ts'
import { announce, useMounted, useUnsaved } from '../../../shared/controls/index.ts'
import { go, namingProperty, type Route } from '../../../shared/names.ts'
import type { Values } from '../../../shared/values.ts'
import { isSame } from './changes.ts'
import { draftsOf, type PropertyDraft } from './draft.ts'
import { incomplete, type Problems, problemsLeft, problemsOf } from './problems.ts'
import { type Problem, ROOT, readForm } from './reading.ts'

export type Form = ReturnType<typeof useForm>

interface Start {
  readonly former?: Values
  /** The collection that a new member is added to. */
  readonly creates?: CollectionDescription | undefined
  /** Of a new member. */
  readonly name?: string | undefined
  /** What the ids of its fields begin with: a form over another one has ids of its own. */
  readonly root?: string
}

export function useForm(cls: ClassDescription | undefined, start: Start = {}) {
  const { former, creates, name = '', root = ROOT } = start
  const { documentation } = useApi()
  const initial = useMemo(() => {
    const naming = name && namingProperty(cls)
    const drafts = cls ? draftsOf(cls, former, documentation) : []
    return drafts.map(({ property, draft }) => ({
      property,
      draft: property.name === naming && draft.kind === 'text' ? { ...draft, text: name } : draft,
    }))
  }, [cls, former])
  const [drafts, setDrafts] = useState<readonly PropertyDraft[]>(initial)
  const [problems, setProblems] = useState<Problems>()
  const [busy, setBusy] = useState(false)
  // A ref: a second click may come before the form is drawn as busy.
  const acting = useRef(false)
  const isMounted = useMounted()
  const dirty = !isSame(drafts, initial)
  const release = useUnsaved(dirty)

  const read = (what: readonly PropertyDraft[]) => readForm(what, former, root)

  /** One act at a time, however often it is called. */
  async function attempt(act: () => Promise<void>, used = drafts): Promise<void> {
    if (acting.current) return
    acting.current = true
    setBusy(true)
    try {
      await act()
    } catch (error) {
      if (isMounted()) setProblems(problemsOf(error, used, root))
    } finally {
      acting.current = false
      if (isMounted()) setBusy(false)
    }
  }

  return {
    cls,
    former,
    creates,
    root,
    drafts,
    setDrafts(next: readonly PropertyDraft[]) {
      setDrafts(next)
      if (problems) setProblems(problemsLeft(problems, read(drafts), read(next)))
    },
    problems,
    setProblems,
    busy,
    dirty,
    attempt,
    isMounted,
    async submit(act: (values: Values) => Promise<void>, more: readonly Problem[] = []) {
      const { values, violations } = read(drafts)
      const wrong = [...violations, ...more]
      if (wrong.length > 0) setProblems(incomplete(wrong))
      else await attempt(() => act(values))
    },
    /** Says what was done. Only a form that is still shown leads to another page. */
    leave(sentence: string, route: Route) {
      release()
      announce(sentence)
      if (isMounted()) go(route)
    },
  }
}
