import type { Locator, Page } from 'playwright-core'

/** The names of the rows, from top to bottom. */
export const namesOf = (page: Page): Promise<string[]> => page.getByRole('rowheader').allTextContents()

/** The values of a row, without its name and the box that selects it. */
export const cellsOf = (page: Page, name: string): Locator =>
  page.getByRole('row', { name }).locator('td:not(.table-pick)')

/** Waits until the table says where in the collection it is, and in which order: then its rows are there too. */
export const showing = (page: Page, place: string): Promise<void> =>
  page
    .getByRole('status')
    .filter({ hasText: new RegExp(`^${place}$`) })
    .waitFor()

/** As test/support/console.ts has made them; backwards where `from` is the larger. */
export const bookNames = (from: number, to: number): string[] =>
  Array.from(
    { length: Math.abs(to - from) + 1 },
    (_, index) => `Book ${String(from < to ? from + index : from - index).padStart(2, '0')}`,
  )

/** Puts a filter together and applies it. */
export async function addFilter(
  page: Page,
  property: string,
  comparison: string,
  value?: (page: Page) => Promise<unknown>,
): Promise<void> {
  await page.getByRole('button', { name: 'Add filter' }).click()
  await page.getByLabel('Property').selectOption(property)
  await page.getByLabel('Comparison').selectOption(comparison)
  await value?.(page)
  await page.getByRole('button', { name: 'Apply' }).click()
}

export const typed =
  (value: string) =>
  (page: Page): Promise<void> =>
    page.getByLabel('Value').fill(value)

export const chosen =
  (value: string) =>
  (page: Page): Promise<unknown> =>
    page.getByLabel('Value').selectOption(value)
