// The console beside an API, in a Chromium.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { startPageServer } from '../src/service/console/server.ts'
import { launchChromium } from '../test/support/browser-launch.ts'
import { buildConsole } from '../tools/build-console.ts'
import type { Account } from './requests.ts'

export interface ConsolePage {
  readonly page: Page
  /** Requests with a token from now on: challenges, exchanges and preflights have none. */
  readonly asked: string[]
  close(): Promise<void>
}

/** Longer than the API searches before it gives up. */
const STEP_LIMIT_MS = 20_000

/** Signed in as user 1. */
export async function openConsolePage({ port, paraphrase }: Account): Promise<ConsolePage> {
  const base = `http://localhost:${port}/api`
  const server = await serveConsole(base)
  const browser = await launchChromium().catch(async (error) => {
    await server.close()
    throw error
  })
  const close = async () => {
    await browser.close()
    await server.close()
  }
  try {
    const context = await browser.newContext({ locale: 'en', reducedMotion: 'reduce' })
    context.setDefaultTimeout(STEP_LIMIT_MS)
    const page = await context.newPage()
    const asked: string[] = []
    page.on('request', (request) => {
      if (request.headers()['x-authorization'] === undefined) return
      asked.push(`${request.method()} ${decodeURIComponent(request.url().slice(base.length))}`)
    })
    await page.goto(`http://localhost:${server.port}/`)
    await page.getByLabel('User id').fill('1')
    await page.getByLabel('Paraphrase').fill(paraphrase)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('navigation', { name: 'Collections' }).waitFor()
    return { page, asked, close }
  } catch (error) {
    await close()
    throw error
  }
}

/** As it is in this working tree; it is served from memory. */
async function serveConsole(base: string) {
  const folder = mkdtempSync(join(tmpdir(), 'hydrant-console-'))
  try {
    await buildConsole(folder)
    return await startPageServer({ host: '127.0.0.1', port: 0, base, folder })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/**
 * Milliseconds from the last click of `act` until the table says `place` and its rows are painted, by the clock of the
 * page itself: what it takes to tell a browser to click is not among them.
 */
export async function timeOf(page: Page, place: string, act: () => Promise<unknown>): Promise<number> {
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
