// Records the moving picture of the README: `npm run tour`. An API file is written, the console shows what it makes, and
// a change in one window appears in another.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { mock } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { launchChromium } from '../test/support/browser-launch.ts'
import { codeBlock } from '../test/support/markdown.ts'
import { type Frame, type Picture, paste, readPng, writeAnimation } from './animation.ts'
import { goTo, NOW, PARAPHRASE, serveForPictures, USER, useOneFont } from './console-stage.ts'

/** Pixels of the picture for each of the page, so that letters are sharp on every screen. */
const SCALE = 2
const WIDTH = 960
const HEIGHT = 540
/** Of the line above the picture that says what happens. */
const CAPTION = 48
/** Between two windows. */
const GAP = 8
/** Maximum size, since everybody who opens the README loads it. */
const MOST_BYTES = 1_500_000

const BOOKS = [
  ['Emma', '9.50', 'austen'],
  ['Persuasion', '8.90', 'austen'],
  ['The Hobbit', '12.00', 'tolkien'],
  ['The Silmarillion', '14.50', 'tolkien'],
] as const
const SAMPLE = [
  { '@type': 'Author', '@id': '/authors/austen', name: 'Jane Austen' },
  { '@type': 'Author', '@id': '/authors/tolkien', name: 'J. R. R. Tolkien' },
  ...BOOKS.map(([title, price, author], index) => ({
    '@type': 'Book',
    '@id': `/books/${index + 1}`,
    title,
    price,
    author: `/authors/${author}`,
  })),
]

const CAPTION_STYLE = `margin: 0; display: grid; place-items: center; height: ${CAPTION}px; background: #1d3557; color: #fff; font: 600 22px system-ui`
const EDITOR_STYLE =
  'margin: 0; padding: 32px 40px; background: #fff; color: #24292f; font: 19px/1.6 monospace; white-space: pre'

const root = dirname(import.meta.dirname)
const apiFile = codeBlock('README.md', 'yaml', 'title: Library')

useOneFont()
mock.timers.enable({ apis: ['Date'], now: NOW })
const folder = mkdtempSync(join(tmpdir(), 'hydrant-tour-'))
writeFileSync(join(folder, 'api.yaml'), apiFile)
writeFileSync(join(folder, 'api.ndjson'), SAMPLE.map((one) => JSON.stringify(one)).join('\n'))
const served = await serveForPictures(join(folder, 'api.yaml'))
const browser = await launchChromium([], [`MAP localhost:8080 127.0.0.1:${served.port}`])
try {
  const file = writeAnimation(await record(browser))
  const path = join(root, 'docs', 'images', 'tour.png')
  writeFileSync(path, file)
  console.log(`docs/images/tour.png, ${Math.round(file.length / 1000)} kB`)
  if (file.length > MOST_BYTES) throw new Error(`docs/images/tour.png has more than ${MOST_BYTES} bytes.`)
} finally {
  await browser.close()
  await served.close()
  rmSync(folder, { recursive: true })
}

async function record(browser: Browser): Promise<Frame[]> {
  const frames: Frame[] = []
  const caption = await openPage(browser, WIDTH, CAPTION)
  let line: Picture
  const say = async (text: string) => {
    await caption.setContent(`<body style="${CAPTION_STYLE}">${text}</body>`)
    line = await shoot(caption)
  }
  const add = (ms: number, ...pictures: readonly Picture[]) =>
    frames.push({ picture: compose(line, pictures), ms })
  await showFile(await openPage(browser, WIDTH, HEIGHT), say, add)
  await showConsole(browser, say, add)
  await showTwoWindows(browser, say, add)
  return frames
}

type Say = (text: string) => Promise<void>
type Add = (ms: number, ...pictures: readonly Picture[]) => void

/** The file appears line by line, then the command that serves it. */
async function showFile(page: Page, say: Say, add: Add): Promise<void> {
  const show = (text: string) =>
    page.setContent(`<body style="${EDITOR_STYLE}"><b style="color: #57606a"># api.yaml</b>\n${text}</body>`)
  await say('1. Describe your data in one file')
  const lines = apiFile.trimEnd().split('\n')
  for (const end of [2, 5, 6, 8, 9, 10]) {
    await show(lines.slice(0, end).join('\n'))
    add(end === lines.length ? 2_200 : 450, await shoot(page))
  }
  await say('2. Serve it')
  await show(`${apiFile}\n<b>$ hydrant serve</b>`)
  add(700, await shoot(page))
  await show(
    `${apiFile}\n<b>$ hydrant serve</b>\nlistening on http://localhost:8080/api\nconsole on http://localhost:8081/`,
  )
  add(1_600, await shoot(page))
}

/** A table, and a form that says what is wrong. */
async function showConsole(browser: Browser, say: Say, add: Add): Promise<void> {
  const page = await openConsole(browser, WIDTH)
  await goTo(page, '/table/books')
  await page.getByRole('link', { name: 'The Silmarillion' }).waitFor()
  await say('3. That is an API with an admin page')
  add(2_400, await shoot(page))
  await goTo(page, '/create/books')
  await page.getByLabel('Title').waitFor()
  add(700, await shoot(page))
  for (const text of ['Lady', 'Lady Susan']) {
    await page.getByLabel('Title').fill(text)
    add(450, await shoot(page))
  }
  await page.getByLabel('Price').fill('cheap')
  add(450, await shoot(page))
  await page.getByRole('button', { name: 'Create' }).click()
  await page.locator('[aria-invalid=true]').first().waitFor()
  await say('Forms and the API check what is entered')
  add(2_400, await shoot(page))
  await page.context().close()
}

/** One user edits a book, and another one looks at the table. */
async function showTwoWindows(browser: Browser, say: Say, add: Add): Promise<void> {
  const width = (WIDTH - GAP) / 2
  const [editor, reader] = [await openConsole(browser, width), await openConsole(browser, width)]
  await goTo(editor, '/edit/books/3')
  await goTo(reader, '/table/books')
  await editor.getByLabel('Price').waitFor()
  await reader.getByRole('link', { name: 'The Silmarillion' }).waitFor()
  await say('4. A change in one window …')
  const both = async (ms: number) => add(ms, await shoot(editor), await shoot(reader))
  await both(1_200)
  for (const text of ['', '1', '10', '10.50']) {
    await editor.getByLabel('Price').fill(text)
    await both(350)
  }
  await both(600)
  await editor.getByRole('button', { name: 'Save' }).click()
  await editor.getByRole('link', { name: 'Edit' }).waitFor()
  await reader.getByRole('button', { name: 'show' }).waitFor()
  await say('4. A change in one window is marked in the others at once')
  await both(2_400)
  await reader.getByRole('button', { name: 'show' }).click()
  await reader.getByText('10.50').waitFor()
  await both(2_600)
}

async function openPage(browser: Browser, width: number, height: number): Promise<Page> {
  const context = await browser.newContext({
    viewport: { width, height },
    deviceScaleFactor: SCALE,
    locale: 'en',
    timezoneId: 'UTC',
    reducedMotion: 'reduce',
    colorScheme: 'light',
  })
  context.setDefaultTimeout(10_000)
  const page = await context.newPage()
  await page.clock.setFixedTime(NOW)
  return page
}

async function openConsole(browser: Browser, width: number): Promise<Page> {
  const page = await openPage(browser, width, HEIGHT)
  await page.goto(served.console)
  await page.getByLabel('Name or number').fill(String(USER))
  await page.locator('input[type=password]').fill(PARAPHRASE)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('heading', { level: 1, name: 'Library' }).waitFor()
  return page
}

async function shoot(page: Page): Promise<Picture> {
  return readPng(await page.screenshot({ animations: 'disabled', caret: 'hide' }))
}

/** The caption, and below it the windows side by side. */
function compose(caption: Picture, pictures: readonly Picture[]): Picture {
  const [width, height] = [WIDTH * SCALE, (CAPTION + HEIGHT) * SCALE]
  const whole = { width, height, pixels: Buffer.alloc(width * height * 3, 0x88) }
  paste(whole, caption, 0, 0)
  for (const [index, picture] of pictures.entries())
    paste(whole, picture, index * (picture.width + GAP * SCALE), CAPTION * SCALE)
  return whole
}
