import assert from 'node:assert/strict'
import { test } from 'node:test'
import { goTo, openSignedIn } from '../support/console.ts'

const API = 'classes: { Talk: { properties: { name: string, day: date, starts: dateTime } } }'

test('a year has four digits: what is typed behind it is the rest of the time', async (t) => {
  const { page } = await openSignedIn(t, '/table/talks', { service: { api: API } })
  await page.getByRole('button', { name: 'Add filter' }).click()
  await page.getByLabel('Property').selectOption('Starts')
  const value = page.getByLabel('Value (local time)')
  await value.focus()
  await page.keyboard.type('03152026103045AM')
  assert.equal(await value.inputValue(), '2026-03-15T10:30:45')

  await goTo(page, '/create/talks')
  await page.getByLabel('Day').focus()
  await page.keyboard.type('031520261')
  // The same field, which still has the focus.
  assert.equal(await page.evaluate('document.activeElement.type'), 'date')
})
