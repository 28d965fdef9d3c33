import type { ClassDescription, CollectionDescription } from 'hydrant-client'
import { useMemo, useRef, useState } from 'preact/hooks'
import { useApi } from '../../../shared/connection/index.ts'
import { announce, useMounted, useUnsaved } from '../../../shared/controls/index.ts'
import { namingProperty } from '../../../shared/labels.ts'
import { go, type Route } from '../../../shared/names.ts'
import { isSame, type ValuesByName } from '../../../shared/values.ts'
import { draftsOf, type NewLinks, type PropertyDraft, withLinks } from './draft.ts'
import { type AttemptedWrite, furtherProblems } from './dry-run.ts'
import { type FormProblems, incomplete, problemsLeft, problemsOf } from './problems.ts'
import { type FormProblem, ROOT, readForm } from './reading.ts'

export type FormState = ReturnType<typeof useForm>

interface FormOptions {
  readonly former?: ValuesByName
  /** The collection that a new member is added to. */
  readonly creates?: CollectionDescription | undefined
  /** The name of a new member. */
  readonly name?: string | undefined
  /** Links of a new member. */
  readonly links?: NewLinks | undefined
  /** The prefix of its fields' ids, which are different for a form over another one. */
  readonly root?: string
}

interface SubmitOptions {
  /** Problems that only the page can see. */
  readonly more?: readonly FormProblem[]
  /** The write that would be sent. */
  readonly attempted?: ((values: ValuesByName) => AttemptedWrite) | undefined
}

export function useForm(cls: ClassDescription | undefined, options: FormOptions = {}) {
  const { former, creates, name = '', links = [], root = ROOT } = options
  const api = useApi()
  const { documentation } = api
  const initial = useMemo(
    () => withLinks(withName(cls ? draftsOf(cls, former, documentation) : [], cls, name), links),
    [cls, former],
  )
  const [drafts, setDrafts] = useState<readonly PropertyDraft[]>(initial)
  const [problems, setProblems] = useState<FormProblems>()
  const { busy, run } = useSingleRun()
  const isMounted = useMounted()
  const dirty = !isSame(drafts, initial)
  const release = useUnsaved(dirty)

  const read = (what: readonly PropertyDraft[]) => readForm(what, former, root)
  const attempt = (act: () => Promise<void>, used = drafts): Promise<void> =>
    run(act, (error) => setProblems(problemsOf(error, used, root)))

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
    /** From now on, nothing is lost if the form is left. */
    release,
    attempt,
    isMounted,
    async submit(act: (values: ValuesByName) => Promise<void>, options: SubmitOptions = {}) {
      const { values, violations } = read(drafts)
      const { more = [], attempted } = options
      const found = [...violations, ...more]
      if (found.length === 0) return attempt(() => act(values))
      return attempt(async () => {
        const write = attempted?.(values)
        const further = write ? await furtherProblems(api, cls, write, { drafts, root, found }) : []
        if (isMounted()) setProblems(incomplete([...found, ...further]))
      })
    },
    /** Announces what was done. Goes to another page only if the form is still shown. */
    leave(sentence: string, route: Route) {
      release()
      announce(sentence)
      if (isMounted()) go(route)
    },
  }
}

const withName = (
  drafts: readonly PropertyDraft[],
  cls: ClassDescription | undefined,
  name: string,
): readonly PropertyDraft[] => {
  const naming = name && namingProperty(cls)
  return drafts.map(({ property, draft }) => ({
    property,
    draft: property.name === naming && draft.kind === 'text' ? { ...draft, text: name } : draft,
  }))
}

/** Runs one action at a time: calls during a run do nothing. */
function useSingleRun() {
  const [busy, setBusy] = useState(false)
  // A ref, since a second click may come before the form is rendered as busy.
  const isRunning = useRef(false)
  const isMounted = useMounted()
  const run = async (act: () => Promise<void>, onError: (error: unknown) => void): Promise<void> => {
    if (isRunning.current) return
    isRunning.current = true
    setBusy(true)
    try {
      await act()
    } catch (error) {
      if (isMounted()) onError(error)
    } finally {
      isRunning.current = false
      if (isMounted()) setBusy(false)
    }
  }
  return { busy, run }
}
