// Takes the pictures of the console for the documentation: `npm run screenshots`. Data, clock and window are the same
// each time, so that a picture changes only when the console does.
import { mkdirSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { mock } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { launchChromium } from '../test/support/browser-launch.ts'
import { goTo, NOW, PARAPHRASE, serveForPictures, USER, useOneFont } from './console-stage.ts'

interface Picture {
  readonly name: string
  readonly colorScheme: 'light' | 'dark'
  /** The name of an API file in `examples/`. */
  readonly api: 'library' | 'business'
  /** Of the console's page; without it, the sign-in page with id and paraphrase filled in. */
  readonly path?: string
  /** Waits until the page shows what the picture is about. */
  readonly show?: (page: Page) => Promise<void>
}

const PICTURES: readonly Picture[] = [
  { name: 'sign-in', colorScheme: 'light', api: 'library' },
  {
    name: 'table',
    colorScheme: 'light',
    api: 'library',
    path: '/table/books?pages%5Bgte%5D=300&order%5Btitle%5D=asc&itemsPerPage=10',
    async show(page) {
      await page.getByRole('link', { name: 'Charles Dickens' }).first().waitFor()
    },
  },
  {
    name: 'member',
    colorScheme: 'light',
    api: 'business',
    path: '/member/invoices/cafe-mond-001',
    async show(page) {
      await page.getByRole('link', { name: 'Café Mond Menu cards' }).waitFor()
    },
  },
  {
    name: 'summary',
    colorScheme: 'light',
    api: 'business',
    path: '/summary/timeentries?group=project&sum=hours',
    async show(page) {
      await page.getByRole('link', { name: 'Café Mond Website' }).waitFor()
    },
  },
  {
    name: 'form',
    colorScheme: 'dark',
    api: 'library',
    path: '/create/books',
    async show(page) {
      await page.getByLabel('Title').fill('The Left Hand of Darkness')
      await page.getByLabel('ISBN').fill('unknown')
      await page.getByLabel('Pages').fill('0')
      await page.getByRole('button', { name: 'Create' }).click()
      await page.locator('[aria-invalid=true]').first().waitFor()
    },
  },
  {
    name: 'documentation',
    colorScheme: 'light',
    api: 'business',
    path: '/documentation',
    async show(page) {
      await page.getByRole('heading', { name: 'Invoice' }).first().waitFor()
    },
  },
]

/** Maximum size of a picture, since people load the pages that show them. */
const MOST_BYTES = 400_000

const root = dirname(import.meta.dirname)
const images = join(root, 'docs', 'images')

useOneFont()
mock.timers.enable({ apis: ['Date'], now: NOW })
mkdirSync(images, { recursive: true })
for (const api of ['library', 'business'] as const) {
  const served = await serveForPictures(join(root, 'examples', `${api}.yaml`))
  const browser = await launchChromium([], [`MAP localhost:8080 127.0.0.1:${served.port}`])
  try {
    for (const picture of PICTURES) if (picture.api === api) await take(browser, served.console, picture)
  } finally {
    await browser.close()
    await served.close()
  }
}

async function take(browser: Browser, address: string, picture: Picture): Promise<void> {
  const { name, colorScheme, path: shown, show } = picture
  const context = await browser.newContext({
    viewport: { width: 1280, height: 800 },
    deviceScaleFactor: 1.5,
    locale: 'en',
    timezoneId: 'UTC',
    reducedMotion: 'reduce',
    colorScheme,
  })
  context.setDefaultTimeout(10_000)
  const page = await context.newPage()
  await page.clock.setFixedTime(NOW)
  await page.goto(address)
  await page.getByLabel('Name or number').fill(String(USER))
  await page.getByLabel('Passphrase').fill(PARAPHRASE)
  if (shown !== undefined) {
    await signIn(page)
    await goTo(page, shown)
  }
  await show?.(page)
  await page.mouse.move(0, 0)
  const path = join(images, `${name}.png`)
  await page.screenshot({ path, animations: 'disabled' })
  await context.close()
  const { size } = statSync(path)
  console.log(`docs/images/${name}.png, ${Math.round(size / 1000)} kB`)
  if (size > MOST_BYTES) throw new Error(`docs/images/${name}.png has more than ${MOST_BYTES} bytes.`)
}

async function signIn(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('navigation').waitFor()
}
