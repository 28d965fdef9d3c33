// The console with a large collection, in a Chromium: how many requests a step makes, how many rows there are in the
// document, and how long it takes until they are shown.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import { showing } from '../test/console/table-reading.ts'
import { launchChromium } from '../test/support/browser-launch.ts'
import { openTable, STEPS, type Step, wholeCollection } from './console-steps.ts'
import { median } from './load.ts'
import type { Report } from './report.ts'
import { flags } from './rounds.ts'
import { freePort, PARAPHRASE, startHydrant } from './servers.ts'
import { importThings } from './things.ts'

const MEMBERS = flags.short ? 10_000 : 1_000_000
const ROUNDS = flags.short ? 1 : 5
const MOST_REQUESTS = 1
const MOST_ROWS = 200
/** Whatever else a step asks for, it has asked for by then. */
const AFTERWARDS_MS = 250
/** Longer than the API searches before it gives up. */
const STEP_LIMIT_MS = 20_000

interface Measured {
  readonly step: Step
  readonly times: number[]
  readonly rows: number[]
  readonly asked: (readonly string[])[]
}

interface ConsolePage {
  readonly page: Page
  /** Requests with a token from now on: challenges, exchanges and preflights have none. The feed is no request of a step. */
  readonly asked: string[]
}

export async function measureConsole(members: number = MEMBERS): Promise<Report> {
  // Those that importThings can divide into groups, and step through without meeting a number twice.
  if (!/^[125]0{4,6}$/.test(String(members)))
    throw new Error(`${members} members cannot be made: it may be 10000, 20000, 50000 and so on to 5000000.`)
  const { folder } = await importThings(members)
  const [port, consolePort] = [await freePort(), await freePort()]
  const base = `http://localhost:${port}/api`
  await startHydrant({ name: 'Hydrant', folder, port, base, flags: ['--console-port', `${consolePort}`] })
  const browser = await launchChromium()
  try {
    const context = await browser.newContext({ locale: 'en', reducedMotion: 'reduce' })
    context.setDefaultTimeout(STEP_LIMIT_MS)
    const opened = await signInTo(await context.newPage(), `http://localhost:${consolePort}/`, base)
    const measured = await measureSteps(opened, members)
    refuseTooMuch(measured)
    return toReport(measured, members)
  } finally {
    await browser.close()
  }
}

async function signInTo(page: Page, address: string, base: string): Promise<ConsolePage> {
  const asked: string[] = []
  page.on('request', (request) => {
    const { accept, 'x-authorization': token } = request.headers()
    if (token === undefined || accept?.startsWith('text/event-stream')) return
    asked.push(`${request.method()} ${decodeURIComponent(request.url().slice(base.length))}`)
  })
  await page.goto(address)
  await page.getByLabel('Name or number').fill('1')
  await page.getByLabel('Passphrase').fill(PARAPHRASE)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('navigation', { name: 'Collections' }).waitFor()
  return { page, asked }
}

async function measureSteps({ page, asked }: ConsolePage, members: number): Promise<readonly Measured[]> {
  const measured = STEPS.map((step): Measured => ({ step, times: [], rows: [], asked: [] }))
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const { step, ...of } of measured) {
      const asking = { members, round }
      if (step.from === 'overview') await goToOverview(page, members)
      if (step.from === 'table') await goToTable(page, members)
      await sleep(AFTERWARDS_MS)
      asked.length = 0
      of.times.push(await timeOf(page, step.place(asking), () => step.act(page, asking)))
      of.rows.push(await page.getByRole('rowheader').count())
      await sleep(AFTERWARDS_MS)
      of.asked.push([...asked])
    }
  }
  return measured
}

async function goToOverview(page: Page, members: number): Promise<void> {
  await page.getByRole('link', { name: 'Overview' }).click()
  await page.getByText(`${members.toLocaleString('en')} members`).waitFor()
}

async function goToTable(page: Page, members: number): Promise<void> {
  await openTable(page)
  await showing(page, wholeCollection(members))
}

function toReport(measured: readonly Measured[], members: number): Report {
  const rows = measured.map(({ step, times, rows, asked }) => {
    const [middle, lowest, highest] = [median(times), Math.min(...times), Math.max(...times)].map(Math.round)
    const requests = Math.max(...asked.map(({ length }) => length))
    return [step.name, `${requests}`, `${Math.max(...rows)}`, `${middle} (${lowest} to ${highest})`]
  })
  const first = `step, ${members.toLocaleString('en')} members`
  const columns = [first, 'API requests', 'rows', `ms from the click until shown, of ${ROUNDS} rounds`]
  return { tables: [{ name: 'console', columns, rows }], targets: [] }
}

function refuseTooMuch(measured: readonly Measured[]): void {
  const problems = measured.flatMap(({ step, rows, asked }) => [
    ...rows.filter((count) => count > MOST_ROWS).map((count) => `"${step.name}" has shown ${count} rows.`),
    ...asked
      .filter((requests) => requests.length > MOST_REQUESTS)
      .map((requests) => `"${step.name}" has asked ${requests.join(', ')}.`),
  ])
  if (problems.length === 0) return
  const allowed = `A step may make ${MOST_REQUESTS} request and show ${MOST_ROWS} rows`
  throw new Error(`${allowed}:\n${problems.join('\n')}`)
}

/**
 * Milliseconds from the last click of `act` until the table says `place` and its rows are painted, by the clock of the
 * page itself: what it takes to tell a browser to click is not among them.
 */
async function timeOf(page: Page, place: string, act: () => Promise<unknown>): Promise<number> {
  await page.evaluate(`void (globalThis.untilShown = new Promise((resolve, reject) => {
    let clicked
    const onClick = (event) => { clicked = event.timeStamp }
    addEventListener('click', onClick, true)
    const says = (element) => element.textContent === ${JSON.stringify(place)}
    const isShown = () =>
      document.querySelector('main table[aria-busy=false]') !== null &&
      [...document.querySelectorAll('main [role=status]')].some(says)
    const settle = (act) => { removeEventListener('click', onClick, true); act() }
    const givenUp = setTimeout(() => settle(() => reject(new Error('too late'))), ${STEP_LIMIT_MS})
    const look = () => {
      if (clicked === undefined || !isShown()) return requestAnimationFrame(look)
      clearTimeout(givenUp)
      // This frame is painted by then.
      setTimeout(() => settle(() => resolve(performance.now() - clicked)))
    }
    look()
  }))`)
  await act()
  try {
    return await page.evaluate<number>('globalThis.untilShown')
  } catch {
    const text = await page.getByRole('main').innerText()
    throw new Error(`The table should say "${place}" by now, but says:\n${text}`)
  }
}
