import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { after, type TestContext } from 'node:test'
import type { AxeResults } from 'axe-core'
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { launchChromium } from './browser-launch.ts'

/** What a test may say of the one who looks at the page. */
export type Looking = Pick<
  BrowserContextOptions,
  'viewport' | 'colorScheme' | 'reducedMotion' | 'forcedColors' | 'hasTouch' | 'permissions'
>

export interface TestBrowser {
  readonly context: BrowserContext
  readonly page: Page
  /** Errors that the page is meant to have; with any other, or a dialog of the browser, the test fails. */
  expectErrors(...patterns: readonly RegExp[]): void
}

/** A step that is not done by then never will be. */
const STEP_LIMIT_MS = 30_000
/** `page.evaluate` has no limit of its own. */
const TEST_LIMIT_MS = 90_000

/** Step A is how every conversation begins, and Chromium writes each 401 to its console. */
const CHALLENGE = /^Failed to load resource: the server responded with a status of 401 /

let launched: Promise<Browser> | undefined
after(async () => (await launched)?.close())

/** A browser as somebody has it who comes for the first time; one process for all tests of a file. */
export async function openBrowser(t: TestContext, looking: Looking = {}): Promise<TestBrowser> {
  launched ??= launchChromium()
  const browser = await launched
  const context = await browser.newContext({ locale: 'en', reducedMotion: 'reduce', ...looking })
  context.setDefaultTimeout(STEP_LIMIT_MS)
  const troubles: string[] = []
  const expected = [CHALLENGE]
  context.on('console', (message) => {
    if (message.type() === 'error') troubles.push(`${message.text()} (${message.location().url})`)
  })
  context.on('weberror', (webError) => troubles.push(String(webError.error().stack ?? webError.error())))
  context.on('dialog', (dialog) => {
    troubles.push(`a dialog of the browser: ${dialog.type()} ${dialog.message()}`)
    dialog.dismiss().catch(() => {})
  })
  const watch = setTimeout(() => {
    context.close({ reason: `The test was not done after ${TEST_LIMIT_MS / 1000} s` }).catch(() => {})
  }, TEST_LIMIT_MS)
  t.after(async () => {
    clearTimeout(watch)
    await context.close()
    const unexpected = troubles.filter((trouble) => !expected.some((pattern) => pattern.test(trouble)))
    if (unexpected.length === 0) return
    const message = `The page had errors that the test did not expect:\n${unexpected.join('\n')}`
    // Where the test has failed already, it may well be for this reason, and no other error of it is shown.
    t.diagnostic(message)
    assert.fail(message)
  })
  return {
    context,
    page: await context.newPage(),
    expectErrors: (...patterns) => expected.push(...patterns),
  }
}

/** By default axe leaves out the newest rules. */
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

let axe: string | undefined

/** Fails with what stands in the way of people who do not see, hear or point as others do. */
export async function scan(page: Page): Promise<void> {
  axe ??= readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
  // Over the protocol of its tools, so that the policy of the page stays as it is.
  const session = await page.context().newCDPSession(page)
  try {
    const loaded = await session.send('Runtime.evaluate', { expression: 'typeof axe' })
    if (loaded.result.value === 'undefined') await session.send('Runtime.evaluate', { expression: axe })
    // What axe would load first is only for a rule about audio and video, which no page has.
    const options = JSON.stringify({ runOnly: RULES, resultTypes: ['violations'], preload: false })
    const { result, exceptionDetails } = await session.send('Runtime.evaluate', {
      expression: `axe.run(document, ${options})`,
      awaitPromise: true,
      returnByValue: true,
    })
    assert.equal(exceptionDetails, undefined)
    const { violations } = result.value as AxeResults
    const found = violations.map(
      ({ id, impact, help, helpUrl, nodes }) =>
        `${id} (${impact}): ${help}, ${helpUrl}\n${nodes.map(({ target, failureSummary }) => `  ${target.join(' ')}\n${failureSummary?.replaceAll(/^/gm, '    ')}`).join('\n')}`,
    )
    assert.equal(violations.length, 0, `${page.url()} is not accessible to all:\n${found.join('\n')}`)
  } finally {
    await session.detach()
  }
}
