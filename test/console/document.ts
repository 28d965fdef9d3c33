import assert from 'node:assert/strict'
import { setTimeout as wait } from 'node:timers/promises'
import type { Page } from 'playwright-core'

/** By what name people know what has the focus: its label or its text. */
export const focused = (page: Page): Promise<string> =>
  page.evaluate(`(() => {
    const at = document.activeElement
    return (at?.labels?.[0]?.textContent ?? at?.textContent ?? '').trim()
  })()`)

/** That it becomes so: a page moves the focus after it has drawn what is waited for. */
export async function assertFocused(page: Page, name: string | undefined): Promise<void> {
  for (let tries = 0; tries < 100 && (await focused(page)) !== name; tries += 1) await wait(20)
  assert.equal(await focused(page), name)
}

/** Markup, what stands in inputs, the title and the address. */
export const everythingIn = (page: Page): Promise<string> =>
  page.evaluate(`[
    document.documentElement.outerHTML,
    ...[...document.querySelectorAll('input, textarea')].map((field) => field.value),
    document.title,
    location.href,
  ].join('\\n')`)

/** Whether one would have to scroll sideways. */
export const isTooWide = (page: Page): Promise<boolean> =>
  page.evaluate('document.documentElement.scrollWidth > document.documentElement.clientWidth')
