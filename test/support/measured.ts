import type { CDPSession } from 'playwright-core'
import { inSoak } from './soak.ts'

/** These rules measure every element and what is around it, which is most of the work of a scan. */
const MEASURING = ['color-contrast', 'target-size']
const MARK = 'data-unmeasured'

/** What decides over the styles of an element: the tags, classes and states from the root to it, in this scheme. */
const PATHS = `(() => {
  const STATES = /^(?:aria-|data-theme|disabled|open|role|type)/
  const paths = new Map()
  const pathOf = (element) => {
    if (element === null) return String(matchMedia('(prefers-color-scheme: dark)').matches)
    const known = paths.get(element)
    if (known !== undefined) return known
    const states = Array.from(element.attributes)
      .filter(({ name }) => STATES.test(name))
      .map(({ name, value }) => name + (/^(?:true|false|page|[a-z]{1,12})$/.test(value) ? '=' + value : ''))
    const own = [element.localName, ...element.classList, ...states].join(' ')
    const path = pathOf(element.parentElement) + ' > ' + own
    paths.set(element, path)
    return path
  }
  document.querySelectorAll('*').forEach(pathOf)
  return paths
})()`

/** The paths that were measured in this process. */
const measured = new Set<string>()
/** The paths of each document that had all other rules in this process, whatever its scheme. */
const ruled: ReadonlySet<string>[] = []

const withoutScheme = (path: string): string => path.slice(path.indexOf(' > '))

/** What a scan has still to do. */
export interface Unscanned {
  /** Paths of which one element is to be measured; undefined where every element is. */
  readonly fresh: readonly string[] | undefined
  /** Whether rules that measure nothing have to run as well. */
  readonly isNew: boolean
}

/**
 * `npm test` measures contrasts and sizes of one element of each path, where it is shown first, and runs the other rules
 * where no earlier document had all paths of this one, as it has in another scheme; `npm run soak` runs every rule
 * on every element in every scan.
 */
export async function findUnscanned(session: CDPSession): Promise<Unscanned> {
  if (inSoak(true, false)) return { fresh: undefined, isNew: true }
  const { result } = await session.send('Runtime.evaluate', {
    expression: `[...new Set(${PATHS}.values())]`,
    returnByValue: true,
  })
  const paths = result.value as readonly string[]
  const fresh = paths.filter((path) => !measured.has(path))
  for (const path of fresh) measured.add(path)
  const shape = paths.map(withoutScheme)
  const isNew = !ruled.some((earlier) => shape.every((path) => earlier.has(path)))
  if (isNew) ruled.push(new Set(shape))
  return { fresh, isNew }
}

/** The options of `axe.run` for it. Called when axe is in the page. */
export async function markUnmeasured(
  session: CDPSession,
  { fresh, isNew }: Unscanned,
  all: readonly string[],
): Promise<object> {
  if (fresh === undefined) return { runOnly: all }
  const rules = MEASURING.map((id) => ({ id, selector: `[${MARK}]` }))
  await session.send('Runtime.evaluate', {
    expression: `{
      const fresh = new Set(${JSON.stringify(fresh)})
      for (const [element, path] of ${PATHS})
        if (fresh.delete(path)) element.setAttribute('${MARK}', '')
      axe.configure({ rules: ${JSON.stringify(rules)} })
    }`,
  })
  return { runOnly: isNew ? all : MEASURING }
}

export async function unmark(session: CDPSession): Promise<void> {
  await session.send('Runtime.evaluate', {
    expression: `document.querySelectorAll('[${MARK}]').forEach((one) => one.removeAttribute('${MARK}'))`,
  })
}
