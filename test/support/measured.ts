import type { CDPSession } from 'playwright-core'
import { inSoak } from './soak.ts'

/** These rules measure every element and what is around it, which is most of the work of a scan. */
const MEASURING = ['color-contrast', 'target-size']
const MARK = 'data-unmeasured'

/** What decides over the styles of an element: the tags, classes and states from the root to it, in this width and scheme. */
const PATHS = `(() => {
  const STATES = /^(?:aria-|data-theme|disabled|open|role|type)/
  const paths = new Map()
  const pathOf = (element) => {
    if (element === null) return innerWidth + ' ' + matchMedia('(prefers-color-scheme: dark)').matches
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

/**
 * `npm test` measures contrasts and sizes of one element of each path, where it is shown first; `npm run soak` measures
 * every element in every scan. Called when axe is in the page, before it runs.
 */
export async function markUnmeasured(session: CDPSession): Promise<void> {
  if (inSoak(true, false)) return
  const { result } = await session.send('Runtime.evaluate', {
    expression: `[...new Set(${PATHS}.values())]`,
    returnByValue: true,
  })
  const fresh = (result.value as readonly string[]).filter((path) => !measured.has(path))
  for (const path of fresh) measured.add(path)
  const rules = MEASURING.map((id) => ({ id, selector: `[${MARK}]` }))
  await session.send('Runtime.evaluate', {
    expression: `{
      const fresh = new Set(${JSON.stringify(fresh)})
      for (const [element, path] of ${PATHS})
        if (fresh.delete(path)) element.setAttribute('${MARK}', '')
      axe.configure({ rules: ${JSON.stringify(rules)} })
    }`,
  })
}

export async function unmark(session: CDPSession): Promise<void> {
  await session.send('Runtime.evaluate', {
    expression: `document.querySelectorAll('[${MARK}]').forEach((one) => one.removeAttribute('${MARK}'))`,
  })
}
