import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import { openBrowser, scan } from './browser.ts'
import { listen } from './browser-server.ts'

/** As strict as a policy can be: nothing inline, no text that becomes code. */
const POLICY =
  "default-src 'none'; style-src 'self'; require-trusted-types-for 'script'; trusted-types 'none'; img-src data:"

const page = (body: string): string =>
  `<!doctype html><html lang="en"><head><title>A page</title><link rel="icon" href="data:,"></head><body><main><h1>A page</h1>${body}</main></body></html>`

const servePage = (t: TestContext, body: string): Promise<string> =>
  listen(t, (_, response) => {
    response.setHeader('Content-Type', 'text/html; charset=utf-8')
    response.setHeader('Content-Security-Policy', POLICY)
    response.end(page(body))
  })

/** A test within the test, whose end is called for. */
function startTest() {
  const ends: (() => Promise<void>)[] = []
  return {
    t: {
      after: (end: () => Promise<void>) => ends.push(end),
      diagnostic: () => {},
    } as unknown as TestContext,
    async end() {
      for (const end of ends) await end()
    },
  }
}

describe('a browser for a test', () => {
  test('comes with the language and the looks that were asked for', async (t) => {
    const { page } = await openBrowser(t, { viewport: { width: 360, height: 640 }, colorScheme: 'dark' })
    await page.goto(await servePage(t, ''))
    assert.deepEqual(
      await page.evaluate(
        '[navigator.language, innerWidth, matchMedia("(prefers-color-scheme: dark)").matches, matchMedia("(prefers-reduced-motion: reduce)").matches]',
      ),
      ['en', 360, true, true],
    )
  })

  test('forgets everything with the test', async (t) => {
    const address = await servePage(t, '')
    const first = startTest()
    const { page } = await openBrowser(first.t)
    await page.goto(address)
    await page.evaluate('localStorage.setItem("token", "kept")')
    await first.end()
    const { page: next } = await openBrowser(t)
    await next.goto(address)
    assert.equal(await next.evaluate('localStorage.getItem("token")'), null)
  })

  test('fails the test with every error of the page, breach of its policy and dialog', async (t) => {
    const inner = startTest()
    const { page } = await openBrowser(inner.t)
    await page.goto(await servePage(t, ''))
    for (const provocation of [
      'console.error("broken")',
      'setTimeout(() => { throw new Error("thrown") }) && undefined',
      'Promise.reject(new Error("rejected")) && undefined',
      'document.body.setAttribute("style", "color: red")',
      'try { document.body.innerHTML = "" } catch {}',
      'alert("hello")',
    ]) {
      await page.evaluate(provocation)
    }
    await assert.rejects(inner.end(), ({ message }: Error) => {
      const signs = [
        /broken/,
        /Error: thrown/,
        /Error: rejected/,
        /style/,
        /TrustedHTML/,
        /dialog .* alert hello/,
      ]
      for (const sign of signs) assert.match(message, sign)
      return true
    })
  })

  test('takes errors that the test expects', async (t) => {
    const { page, expectErrors } = await openBrowser(t)
    expectErrors(/^broken/)
    await page.goto(await servePage(t, ''))
    await page.evaluate('console.error("broken as it should be")')
  })
})

describe('a scan', () => {
  test('finds nothing on a page that everybody can use, and leaves its policy in force', async (t) => {
    const { page, expectErrors } = await openBrowser(t)
    await page.goto(await servePage(t, '<label>Name <input></label>'))
    await scan(page)
    expectErrors(/Security Policy/)
    await page.evaluate('document.body.setAttribute("style", "display: none")')
    assert.equal(await page.evaluate('getComputedStyle(document.body).display'), 'block')
  })

  test('measures what has not been on a page before, and leaves no mark', async (t) => {
    const { page } = await openBrowser(t)
    await page.goto(await servePage(t, '<p>Readable</p>'))
    await scan(page)
    await page.evaluate(`{
      const pale = document.querySelector('p').cloneNode(true)
      pale.className = 'pale'
      pale.style.color = '#ddd'
      const button = document.createElement('button')
      button.textContent = 'x'
      button.style.cssText = 'width: 9px; height: 9px; padding: 0; border: 0'
      document.querySelector('main').append(pale, button, button.cloneNode(true))
    }`)
    const before = await page.content()
    await assert.rejects(scan(page), (error: Error) => {
      assert.match(error.message, /^color-contrast \(serious\)/m)
      assert.match(error.message, /^target-size \(serious\)/m)
      return true
    })
    assert.equal(await page.content(), before)
  })

  test('measures again in dark mode what it has seen', async (t) => {
    const { page } = await openBrowser(t)
    await page.goto(await servePage(t, '<p>Readable</p>'))
    await scan(page)
    await scan(page)
    await page.evaluate(`document.querySelector('p').style.color = '#ddd'`)
    await page.emulateMedia({ colorScheme: 'dark' })
    await assert.rejects(scan(page), /^color-contrast \(serious\)/m)
  })

  test('says which rule is broken, where, and what to do', async (t) => {
    const { page } = await openBrowser(t)
    await page.goto(await servePage(t, '<input id="nameless">'))
    await assert.rejects(scan(page), (error: Error) => {
      assert.match(
        error.message,
        /is not accessible to all:\nlabel \(critical\): Form elements must have labels/,
      )
      assert.match(error.message, /#nameless\n +Fix any of the following/)
      return true
    })
  })
})
