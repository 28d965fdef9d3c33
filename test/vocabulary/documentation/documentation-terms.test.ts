import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createOpenApi } from '../../../src/api/index.ts'
import { createDocumentation, OWN_TERMS, SEARCH_TERMS } from '../../../src/vocabulary/index.ts'
import { modelOf } from '../api-files.ts'

const BASE = 'http://localhost:8080/api'
const MODEL = modelOf(`
classes:
  Invoice:
    label: [customer, number]
    unique: [[customer, number]]
    properties:
      customer: { type: Customer, onDelete: delete }
      number: { type: string, pattern: "^[0-9-]+$", example: "2026-014" }
      total: { type: decimal, scale: 2, unit: EUR }
      changedAt: { type: dateTime, always: now }
  Customer: { properties: { name: string } }
`)

type Node = Readonly<Record<string, unknown>>
const documentation = createDocumentation(MODEL, BASE, { session: false, problemTypes: [] }) as unknown as {
  readonly supportedClass: readonly Node[]
  readonly shapes: readonly { readonly property: readonly Node[] }[]
  readonly terms: readonly Node[]
}
const invoice = documentation.supportedClass.find((cls) => cls['@id'] === `${BASE}/vocab#Invoice`) ?? {}
const supported = new Map(
  (invoice.supportedProperty as Node[]).map(({ title, ...supported }) => [String(title), supported]),
)

// contract: Additions to the API file
test('every term of ours that the documentation uses has its definition in it', () => {
  assert.deepEqual(
    documentation.terms.map(({ '@id': id, comment }) => [id, comment]),
    Object.entries({ ...OWN_TERMS, ...SEARCH_TERMS }).map(([name, comment]) => [
      `${BASE}/vocab#${name}`,
      comment,
    ]),
  )
})

// contract: The documentation says which
// contract: **`plural: time entries`**
test('a class has its label, its plural and what is unique together', () => {
  const iris = ['customer', 'number'].map((name) => `${BASE}/vocab#Invoice/${name}`)
  const { labelProperty, plural, uniqueTogether, title } = invoice
  assert.deepEqual(
    { labelProperty, plural, uniqueTogether, title },
    {
      labelProperty: iris,
      plural: 'invoices',
      uniqueTogether: [{ property: iris }],
      title: 'Invoice',
    },
  )
})

// contract: **`example: "2026-014"`**
// contract: **`scale: 2`** on a decimal
test('a property has its example, its unit, its scale, and what removals and writes do', () => {
  assert.equal(supported.get('number')?.example, '2026-014')
  assert.equal(supported.get('total')?.unit, 'EUR')
  assert.equal(supported.get('changedAt')?.always, 'now')
  assert.equal(supported.get('customer')?.onDelete, 'delete')
  const scales = documentation.shapes[0]?.property.map(({ scale }) => scale)
  assert.deepEqual(scales, [undefined, undefined, 2, undefined])
})

// contract: **`example: "2026-014"`**
// contract: The documentation says which
test('OpenAPI has the label, the example, the scale and the unit', () => {
  const pageSizes = { standard: 20, maximum: 100 }
  const { components } = createOpenApi(MODEL, BASE, { mode: 'open', pageSizes } as never) as unknown as {
    readonly components: { readonly schemas: Readonly<Record<string, Node>> }
  }
  const { 'x-label': label, properties } = components.schemas.Invoice as {
    readonly 'x-label': unknown
    readonly properties: Readonly<Record<string, Node>>
  }
  assert.deepEqual(label, ['customer', 'number'])
  assert.deepEqual(properties.number?.examples, ['2026-014'])
  assert.match(String(properties.total?.description), /^In EUR\. At most 2 digits after the point\./)
  const [example] = (components.schemas.Invoice_input?.examples ?? []) as Node[]
  assert.equal(example?.number, '2026-014')
})
