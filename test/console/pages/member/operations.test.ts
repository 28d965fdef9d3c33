import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { OperationCall } from '../../../../src/api/index.ts'
import { scan } from '../../../support/browser.ts'
import { goTo, openSignedIn } from '../../../support/console.ts'
import { heading, placeOf } from '../../member-reading.ts'

const API = `
roles: [clerk]
classes:
  Order: { properties: { name: string, carrier: string } }
  Shipment: { collection: false, properties: { carrier: { type: string, required: true, minLength: 2 } } }
  Label: { collection: false, properties: { text: string } }
  Parcel: { collection: false, properties: { label: { type: Label, required: true } } }
`

test('custom operations are buttons on the member page, with a form for the values that they expect', async (t) => {
  const operations = {
    Order: {
      ship: {
        ...{ title: 'Ship the order', expects: 'Shipment', returns: 'Order' },
        handle({ member, body, members }: OperationCall) {
          const orders = (members as (name: string) => { change(id: string, values: object): unknown })(
            'orders',
          )
          const { carrier } = body as { carrier: string }
          return orders.change(String((member as { '@id': string })['@id']), { carrier })
        },
      },
      label: { title: 'Print a label', returns: 'Label', handle: () => ({ text: 'To Ann' }) },
      pack: { title: 'Pack it', expects: 'Parcel', handle() {} },
      burn: { access: 'clerk', handle() {} },
    },
  }
  const { page, client, expectErrors } = await openSignedIn(t, '/', {
    service: { api: API, program: { operations } },
  })
  await client.collection('orders').create({ name: 'First' })
  const { place } = await placeOf(client, 'orders', { name: 'First' })
  await goTo(page, place)
  await heading(page, 'First')
  const button = (name: string) => page.getByRole('button', { name, exact: true })
  assert.equal(await button('burn').count(), 0)
  const properties = page.getByRole('region', { name: 'Properties' })
  assert.doesNotMatch(await properties.innerText(), /ship|label|burn/i)

  await button('Ship the order').click()
  const dialog = page.getByRole('dialog', { name: 'Ship the order' })
  await scan(page)
  const field = dialog.getByRole('textbox')
  await field.fill('D')
  expectErrors(/status of 422/)
  await dialog.getByRole('button', { name: 'Ship the order' }).click()
  await dialog.getByRole('link').first().waitFor()
  await field.fill('DHL')
  await dialog.getByRole('button', { name: 'Ship the order' }).click()
  await dialog.waitFor({ state: 'hidden' })
  await properties.getByText('DHL').waitFor()
  await page.getByRole('status').getByText('Ship the order: done.').waitFor()

  await button('Print a label').click()
  await page.getByRole('dialog').getByRole('button', { name: 'Print a label' }).click()
  await page.getByRole('region', { name: 'Result' }).getByText('To Ann').waitFor()
  await scan(page)

  await button('Pack it').click()
  // Not on the group around it.
  await page.getByRole('dialog').getByRole('textbox', { name: 'Text' }).and(page.locator(':focus')).waitFor()
  await page.keyboard.press('Escape')

  await goTo(page, '/documentation/Order')
  const operation = page.getByRole('listitem').filter({ hasText: 'Ship the order' })
  assert.match(await operation.innerText(), /POST\s+Ship the order\s+takes Shipment\s*returns Order/)
  await operation.locator('summary').click()
  assert.match(
    await operation.locator('pre').innerText(),
    /"carrier": "Example carrier"[\s\S]*\/orders\/[^/]+\/ship$/,
  )
})
