// What somebody does with the table of a large collection, and what the table says afterwards.
import type { Page } from 'playwright-core'
import { addFilter, typed } from '../test/console/table-reading.ts'

export interface Step {
  readonly name: string
  /** Where it begins; at the step before it, if nothing is said. */
  readonly from?: 'overview' | 'table'
  /** Its last click is the one that asks. */
  readonly act: (page: Page, asking: Asking) => Promise<unknown>
  /** What the table says when it is done. */
  readonly place: (asking: Asking) => string
}

export interface Asking {
  readonly members: number
  /** Where the question can be another one each time, it is: nothing is remembered of it then. */
  readonly round: number
}

const PAGE = 20
/** importThings puts so many into each. */
const GROUP = 100
const SORTED = ', sorted by name, ascending'

const number = (value: number): string => value.toLocaleString('en')

export const wholeCollection = (members: number): string => `1–${PAGE} of ${number(members)}`

export const openTable = (page: Page): Promise<void> =>
  page.getByRole('navigation', { name: 'Collections' }).getByRole('link', { name: 'Things' }).click()

const turn = (label: string) => (page: Page) => page.getByRole('link', { name: label, exact: true }).click()

/** From the half on, without as many as rounds have gone before. */
const fromHalf = ({ members, round }: Asking): number => members / 2 + round

async function search(page: Page, words: string): Promise<void> {
  await page.getByRole('searchbox', { name: 'Search things' }).fill(words)
  await page.getByRole('button', { name: 'Search' }).click()
}

export const STEPS: readonly Step[] = [
  {
    name: 'first page',
    from: 'overview',
    act: openTable,
    place: ({ members }) => wholeCollection(members),
  },
  {
    name: 'sort by name',
    from: 'table',
    act: (page) => page.getByRole('columnheader', { name: 'Name' }).getByRole('button').click(),
    place: ({ members }) => wholeCollection(members) + SORTED,
  },
  {
    name: 'last page of the sort',
    act: turn('Last'),
    place: ({ members }) => `${number(members - PAGE + 1)}–${number(members)} of ${number(members)}${SORTED}`,
  },
  {
    name: 'previous page',
    act: turn('Previous'),
    place: ({ members }) =>
      `${number(members - 2 * PAGE + 1)}–${number(members - PAGE)} of ${number(members)}${SORTED}`,
  },
  {
    name: `filter that ${GROUP} match`,
    from: 'table',
    act: (page, { round }) => addFilter(page, 'Group', 'is', typed(`group${round}`)),
    place: () => `1–${PAGE} of ${GROUP}`,
  },
  {
    name: 'filter that half match',
    from: 'table',
    act: (page, asking) => addFilter(page, 'Size', 'at least', typed(String(fromHalf(asking)))),
    place: () => `1–${PAGE} of more than 1,000`,
  },
  {
    name: 'Count of those',
    act: (page) => page.getByRole('button', { name: 'Count' }).click(),
    place: (asking) => `1–${PAGE} of ${number(asking.members - fromHalf(asking))}`,
  },
  {
    name: 'free text that one matches',
    from: 'table',
    act: (page, { members, round }) => search(page, `thing ${members - 1 - round}`),
    place: () => '1–1 of 1',
  },
  {
    name: 'free text that all match',
    from: 'table',
    act: (page) => search(page, 'thing'),
    place: () => `1–${PAGE} of more than 1,000`,
  },
]
