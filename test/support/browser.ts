import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { after, type TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { AxeResults } from 'axe-core'
import type {
  Browser,
  BrowserContext,
  BrowserContextOptions,
  ConsoleMessage,
  Dialog,
  Page,
  WebError,
} from 'playwright-core'
import { launchChromium } from './browser-launch.ts'
import { findUnscanned, markUnmeasured, unmark } from './measured.ts'

/** What a test may say of the one who looks at the page. */
export interface Looking extends Pick<BrowserContextOptions, 'viewport' | 'colorScheme' | 'permissions'> {
  /** With nothing of other tests: where the page gets a clock of its own, or all that the browser keeps is looked at. */
  readonly apart?: boolean
}

export interface TestBrowser {
  readonly context: BrowserContext
  readonly page: Page
  /** Errors that the page is meant to have; with any other, or a dialog of the browser, the test fails. */
  expectErrors(...patterns: readonly RegExp[]): void
  /** The page and whatever else was opened; the end of the test does so too. */
  close(): Promise<void>
}

/** A step that is not done by then never will be. */
const STEP_LIMIT_MS = 30_000
/** `page.evaluate` has no limit of its own. */
const TEST_LIMIT_MS = 90_000

/** Step A is how every conversation begins, and Chromium writes each 401 to its console. */
const CHALLENGE = /^Failed to load resource: the server responded with a status of 401 /

/** For the pages of a context. */
const ONE_PROCESS = ['--process-per-site', '--renderer-process-limit=1', '--disable-site-isolation-trials']

let launched: Promise<Browser> | undefined
after(async () => (await launched)?.close())

async function createContext(): Promise<BrowserContext> {
  launched ??= launchChromium(ONE_PROCESS)
  const context = await (await launched).newContext({ locale: 'en', reducedMotion: 'reduce' })
  context.setDefaultTimeout(STEP_LIMIT_MS)
  return context
}

/** Of all tests, one after the other: a process for a page costs more than most of what is done in it. */
let shared: Promise<BrowserContext> | undefined
/** The process ends with its last page, which is this one. */
let lasting: Page | undefined

function sharedContext(): Promise<BrowserContext> {
  shared ??= createContext().then(async (context) => {
    lasting = await context.newPage()
    return context.on('close', () => {
      shared = undefined
    })
  })
  return shared
}

/** For servers: the browser keeps its connections to them, so that they would wait for it when they close. */
export const IMPATIENT = { graceMs: 200 }

/** A browser as somebody has it who comes for the first time; one process for all tests of a file. */
export async function openBrowser(
  t: TestContext,
  { viewport, colorScheme = null, permissions, apart = false }: Looking = {},
): Promise<TestBrowser> {
  const context = await (apart ? createContext() : sharedContext())
  const troubles: string[] = []
  const expected = [CHALLENGE]
  const hear = (message: ConsoleMessage) => {
    if (message.type() === 'error') troubles.push(`${message.text()} (${message.location().url})`)
  }
  const fail = (webError: WebError) => troubles.push(String(webError.error().stack ?? webError.error()))
  const dismiss = (dialog: Dialog) => {
    troubles.push(`a dialog of the browser: ${dialog.type()} ${dialog.message()}`)
    dialog.dismiss().catch(() => {})
  }
  context.on('console', hear).on('weberror', fail).on('dialog', dismiss)
  const watch = setTimeout(() => {
    context.close({ reason: `The test was not done after ${TEST_LIMIT_MS / 1000} s` }).catch(() => {})
  }, TEST_LIMIT_MS)
  const origins = new Set<string>()
  const close = () => (apart ? context.close() : leave(context, origins))
  t.after(async () => {
    clearTimeout(watch)
    await close()
    context.off('console', hear).off('weberror', fail).off('dialog', dismiss)
    const unexpected = troubles.filter((trouble) => !expected.some((pattern) => pattern.test(trouble)))
    if (unexpected.length === 0) return
    const message = `The page had errors that the test did not expect:\n${unexpected.join('\n')}`
    // Where the test has failed already, it may well be for this reason, and no other error of it is shown.
    t.diagnostic(message)
    assert.fail(message)
  })
  if (permissions) await context.grantPermissions(permissions)
  const page = await context.newPage()
  page.on('framenavigated', (frame) => origins.add(new URL(frame.url()).origin))
  if (viewport) await page.setViewportSize(viewport)
  if (colorScheme) await page.emulateMedia({ colorScheme })
  return { context, page, expectErrors: (...patterns) => expected.push(...patterns), close }
}

/** Closes what a test has opened in the browser of all, and forgets what that has left there. */
async function leave(context: BrowserContext, origins: ReadonlySet<string>): Promise<void> {
  // Where a test has taken too long, it is closed already.
  if (shared === undefined || lasting === undefined) return
  for (const page of context.pages()) if (page !== lasting) await page.close()
  const tools = await context.newCDPSession(lasting)
  for (const origin of origins) {
    if (origin === 'null') continue
    await tools.send('Storage.clearDataForOrigin', { origin, storageTypes: 'local_storage,indexeddb' })
  }
  await tools.detach()
  await Promise.all([context.clearCookies(), context.clearPermissions()])
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
    const unscanned = await findUnscanned(session)
    if (!unscanned.isNew && unscanned.fresh?.length === 0) return
    const loaded = await session.send('Runtime.evaluate', { expression: 'typeof axe' })
    if (loaded.result.value === 'undefined') await session.send('Runtime.evaluate', { expression: axe })
    const rules = await markUnmeasured(session, unscanned, RULES)
    // What axe would load first is only for a rule about audio and video, which no page has.
    const options = JSON.stringify({ ...rules, resultTypes: ['violations'], preload: false })
    const { result, exceptionDetails } = await session.send('Runtime.evaluate', {
      expression: `axe.run(document, ${options})`,
      awaitPromise: true,
      returnByValue: true,
    })
    assert.equal(exceptionDetails, undefined)
    await unmark(session)
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

const LONGEST_WAIT_MS = 10_000

/** Waits until an expression is true in the page. Playwright's `waitForFunction` needs `eval` in it, which the console forbids. */
export async function until(page: Page, expression: string): Promise<void> {
  const end = performance.now() + LONGEST_WAIT_MS
  while (!(await page.evaluate(expression))) {
    assert.ok(performance.now() < end, `${expression} was not true within ${LONGEST_WAIT_MS} ms`)
    await sleep(10)
  }
}
