// The console with a large collection: how many requests a step makes, how many rows there are in the document, and how
// long it takes until they are shown.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import { showing } from '../test/console/table-reading.ts'
import { type ConsolePage, openConsolePage, timeOf } from './console-page.ts'
import { openTable, STEPS, type Step, wholeCollection } from './console-steps.ts'
import { median } from './load.ts'
import { startThings } from './things.ts'

const MEMBERS = 1_000_000
const ROUNDS = 5
const MOST_REQUESTS = 1
const MOST_ROWS = 200
/** Whatever else a step asks for, it has asked for by then. */
const AFTERWARDS_MS = 250

interface Measured {
  readonly step: Step
  readonly times: number[]
  readonly rows: number[]
  readonly asked: (readonly string[])[]
}

export async function measureConsole(members: number = MEMBERS): Promise<void> {
  // Those that startThings can divide into groups, and step through without meeting a number twice.
  if (!/^[125]0{4,6}$/.test(String(members)))
    throw new Error(`${members} members cannot be made: it may be 10000, 20000, 50000 and so on to 5000000.`)
  const server = await startThings(members)
  try {
    const opened = await openConsolePage(server)
    try {
      const measured = await measureSteps(opened, members)
      print(measured, members)
      refuseTooMuch(measured)
    } finally {
      await opened.close()
    }
  } finally {
    await server.stop()
  }
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

function print(measured: readonly Measured[], members: number): void {
  console.log(`\n${members.toLocaleString('en')} members, median of ${ROUNDS} rounds (lowest to highest)\n`)
  console.log('| step | API requests | rows | ms from the click until shown |\n|---|---|---|---|')
  for (const { step, times, rows, asked } of measured) {
    const requests = Math.max(...asked.map(({ length }) => length))
    const [middle, lowest, highest] = [median(times), Math.min(...times), Math.max(...times)].map(Math.round)
    console.log(`| ${step.name} | ${requests} | ${Math.max(...rows)} | ${middle} (${lowest} to ${highest}) |`)
  }
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
