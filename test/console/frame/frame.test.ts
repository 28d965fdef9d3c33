import assert from 'node:assert/strict'
import { test } from 'node:test'
import { scan } from '../../support/browser.ts'
import { goTo, openConsole, openSignedIn } from '../../support/console.ts'
import { soakTest } from '../../support/soak.ts'
import { everythingIn, isTooWide } from '../document.ts'

const LONG = 'Registered Establishments With A Name That Nobody Has Ever Read To Its End'

/** Fifty collections, one single resource, and a title that is longer than any bar. */
const MANY = `title: The ${LONG.repeat(3)}\nclasses:\n${Array.from(
  { length: 50 },
  (_, number) =>
    `  Class${number === 3 ? LONG.replaceAll(' ', '') : `Number${number}`}:\n    properties:\n      name: string\n`,
).join(
  '',
)}  HouseRules:\n    collection: false\n    operations: [read, update]\n    properties:\n      name: string\n`

soakTest(
  'with fifty collections and long names, the navigation scrolls, names are cut and no page is wider than the screen',
  async (t) => {
    const { page, expectErrors } = await openSignedIn(t, '/', {
      service: { api: MANY },
      viewport: { width: 1280, height: 720 },
    })
    const navigation = page.getByRole('navigation')
    const links = navigation.getByRole('link')
    assert.equal(await links.count(), 53)
    assert.equal(await isTooWide(page), false)
    const bar = page.getByRole('banner')
    const inOrder = [
      bar.getByRole('link').first(),
      bar.getByRole('button', { name: 'Requests' }),
      bar.getByText('User 7'),
      bar.getByRole('time'),
      bar.getByRole('button', { name: 'Sign out' }),
    ]
    let end = 0
    for (const part of inOrder) {
      const { x, width } = (await part.boundingBox()) ?? { x: -1, width: 0 }
      assert.ok(
        x >= end && width > 20,
        `${await part.innerText()} begins at ${x}, before ${end}, ${width} wide`,
      )
      end = x + width
    }
    const last = navigation.getByRole('link', { name: 'Documentation' })
    await last.scrollIntoViewIfNeeded()
    assert.equal(await page.evaluate('scrollY'), 0)
    await last.click()
    await page.getByRole('heading', { level: 1, name: 'Documentation' }).waitFor()
    assert.equal(await last.getAttribute('aria-current'), 'page')
    await page.getByRole('button', { name: 'Requests' }).click()
    assert.equal(await isTooWide(page), false)
    await navigation.getByRole('link', { name: 'Class number7s' }).click()
    await page.locator('h1:focus').waitFor()

    const rules = navigation.getByRole('list', { name: 'Single resources' }).getByRole('link')
    // Nobody has written them yet.
    expectErrors(/status of 404 .*HouseRules/)
    await rules.click()
    await page.locator('h1:focus').waitFor()
    assert.equal(await rules.innerText(), 'House rules')
    assert.equal(await rules.getAttribute('aria-current'), 'page')

    await page.setViewportSize({ width: 360, height: 740 })
    await page.getByRole('button', { name: 'Requests' }).click()
    assert.equal(await isTooWide(page), false)
    assert.equal(await links.count(), 0)
    const menu = navigation.getByRole('button', { name: 'Menu' })
    assert.equal(await menu.getAttribute('aria-expanded'), 'false')
    await menu.click()
    assert.equal(await isTooWide(page), false)
    await scan(page)
    await navigation.getByRole('link', { name: 'Overview' }).click()
    await page.locator('h1:focus').waitFor()
    assert.equal(await links.count(), 0)
  },
)

test('an open API never asks for credentials, and shows neither a user nor a remaining time', async (t) => {
  const { page, asked } = await openConsole(t, { empty: true, service: { flags: { auth: false } } })
  await page.getByRole('navigation').waitFor()
  assert.equal(await page.getByRole('button', { name: 'Sign out' }).count(), 0)
  assert.equal(await page.getByRole('time').count(), 0)
  assert.ok(!asked.some((line) => line.endsWith('/session')))
  await scan(page)

  await goTo(page, '/nowhere/at/all')
  await page.locator('h1:focus').getByText('Page not found').waitFor()
  await page.getByText('#/nowhere/at/all').waitFor()
  await page.getByRole('link', { name: 'Go to the overview' }).click()
  await page.getByRole('heading', { level: 1, name: 'Library' }).waitFor()
})

test('the Content-Security-Policy is in force: text becomes neither markup nor code', async (t) => {
  const { page, address, expectErrors } = await openSignedIn(t, '/', { empty: true })
  const response = await page.request.get(address)
  assert.match(
    response.headers()['content-security-policy'] ?? '',
    /default-src 'none'.*trusted-types 'none'/,
  )
  expectErrors(/Trusted|Content Security Policy/)
  // Later, since the tools of a browser may do more than a page may.
  const tried = await page.evaluate(`new Promise((resolve) => setTimeout(() => {
    const attempts = {
      markup: () => { document.body.innerHTML = '<p>hacked</p>' },
      code: () => { (0, eval)('document.title = "hacked"') },
      script: () => {
        const script = document.createElement('script')
        script.textContent = 'document.title = "hacked"'
        document.body.append(script)
      },
    }
    const done = Object.entries(attempts).filter(([, attempt]) => {
      try { attempt(); return true } catch { return false }
    })
    resolve(done.map(([name]) => name))
  }))`)
  assert.deepEqual(tried, [])
  assert.doesNotMatch(await everythingIn(page), /hacked/)
})
