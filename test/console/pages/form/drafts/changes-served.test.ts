import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { ApiError, type Client, createClient, type Documentation } from 'hydrant-client'
import { changesOf } from '../../../../../console/pages/form/drafts/changes.ts'
import {
  added,
  type Draft,
  draftsOf,
  newItem,
  type PropertyDraft,
  shown,
} from '../../../../../console/pages/form/drafts/draft.ts'
import { inOrder, placeViolations } from '../../../../../console/pages/form/drafts/problems.ts'
import { readForm } from '../../../../../console/pages/form/drafts/reading.ts'
import { PARAPHRASE, USER } from '../../../../support/client.ts'
import { serve } from '../../../../support/service.ts'

const API = `
classes:
  Country: { properties: { name: { type: string, required: true } } }
  Address:
    collection: false
    properties:
      street: { type: string, required: true, maxLength: 10 }
      country: Country
      lines: { type: string, many: true }
      checked: { type: date, writable: false, default: "2020-02-02" }
  Thing:
    properties:
      title: { type: string, required: true }
      code: { type: string, unique: true }
      pages: { type: integer, minimum: 1 }
      price: { type: decimal, minimum: 0.5 }
      weight: double
      day: date
      moment: { type: dateTime, required: true, default: now }
      clock: time
      length: duration
      page: anyURI
      available: { type: boolean, default: true }
      size: { type: decimal, enum: [1.5, 2] }
      motto: langString
      tags: { type: string, many: true, minLength: 2 }
      home: Address
      former: { type: Address, many: true }
      country: Country
`

interface Served {
  readonly client: Client
  readonly documentation: Documentation
  /** A new form. */
  readonly form: readonly PropertyDraft[]
  readonly country: string
}

async function serveThings(t: TestContext): Promise<Served> {
  const { base } = await serve(t, { api: API })
  const client = createClient({ base, credentials: { id: USER, paraphrase: PARAPHRASE } })
  const documentation = await client.documentation()
  const cls = documentation.classes.find(({ title }) => title === 'Thing')
  assert.ok(cls)
  const country = (await client.collection('countries').create({ name: 'CH' })).iri
  return { client, documentation, form: draftsOf(cls, undefined, documentation), country }
}

type Filling = string | readonly Filling[] | { readonly [name: string]: Filling }

/** As a person would, field by field: text into fields, several values into lists, objects into groups. */
function fill(
  drafts: readonly PropertyDraft[],
  filling: { readonly [name: string]: Filling },
  documentation: Documentation,
): readonly PropertyDraft[] {
  return drafts.map((one) => {
    const value = filling[one.property.name]
    return value === undefined ? one : { ...one, draft: filled(one, value, documentation) }
  })
}

function filled({ property, draft }: PropertyDraft, value: Filling, documentation: Documentation): Draft {
  if (typeof value === 'string') return { ...draft, text: value } as Draft
  if (draft.kind === 'list') {
    const empty = { property, draft: newItem(property, documentation) }
    const items = (value as readonly Filling[]).reduce<typeof draft.items>(
      (list, one) => added(list, { draft: filled(empty, one, documentation) }),
      [],
    )
    return { ...draft, items }
  }
  if (draft.kind === 'languages') {
    const rows = Object.entries(value).map(([tag, text], key) => ({ key, tag, text: String(text) }))
    return { ...draft, rows }
  }
  assert.equal(draft.kind, 'embedded')
  const open = shown(draft as Extract<Draft, { kind: 'embedded' }>, documentation)
  return {
    ...open,
    properties: fill(open.properties, value as { readonly [name: string]: Filling }, documentation),
  }
}

test('values of every datatype are stored as typed, and reading them back changes nothing', async (t) => {
  const { client, documentation, form, country } = await serveThings(t)
  const drafts = fill(
    form,
    {
      title: 'A',
      pages: '12',
      price: '12.50',
      weight: '1e-7',
      day: '2024-02-29',
      clock: '12:30:00',
      length: 'PT2H',
      page: 'https://example.org/',
      size: '1.5',
      motto: { en: 'Hi', de: 'Ho' },
      tags: ['aa', '', 'bb'],
      home: { street: 'A', country, lines: ['x'] },
      former: [{ street: 'B' }, { street: 'C' }],
      country,
    },
    documentation,
  )
  const { values, violations } = readForm(drafts)
  assert.deepEqual(violations, [])
  const member = await client.collection('things').create(values)
  const { '@id': _, '@type': __, moment, ...kept } = member.data
  assert.match(moment, /^\d{4}-/)
  const fixed = { '@type': 'Address', checked: '2020-02-02' }
  assert.deepEqual(kept, {
    title: 'A',
    pages: 12,
    price: '12.50',
    weight: 1e-7,
    day: '2024-02-29',
    clock: '12:30:00',
    length: 'PT2H',
    page: 'https://example.org/',
    available: true,
    size: '1.5',
    motto: { en: 'Hi', de: 'Ho' },
    tags: ['aa', 'bb'],
    home: { ...fixed, street: 'A', country, lines: ['x'] },
    former: [
      { ...fixed, street: 'B' },
      { ...fixed, street: 'C' },
    ],
    country,
  })

  const cls = documentation.classes.find(({ title }) => title === 'Thing')
  assert.ok(cls)
  const again = draftsOf(cls, member.data, documentation)
  assert.deepEqual(changesOf(again, member.data, readForm(again, member.data).values, documentation), {})

  const edited = fill(again, { home: { street: 'Z' }, motto: { en: 'Hi' }, country: '' }, documentation)
  const changes = changesOf(edited, member.data, readForm(edited, member.data).values, documentation)
  assert.deepEqual(changes, { home: { street: 'Z' }, motto: { de: null }, country: null })
  const changed = await member.update(changes)
  assert.deepEqual(changed.data.home, { ...fixed, street: 'Z', country, lines: ['x'] })
  assert.deepEqual(changed.data.motto, { en: 'Hi' })
  assert.equal(changed.data.country, undefined)
})

test('violations that only the server finds are placed beside their fields', async (t) => {
  const { client, documentation, form, country } = await serveThings(t)
  await client.collection('things').create({ title: 'First', code: 'taken' })
  const drafts = fill(
    form,
    {
      title: 'A',
      code: 'taken',
      tags: ['aa', '', 'bb'],
      home: { street: 'A' },
      former: [{ street: 'A' }, { street: 'B', country: `${country}-not` }],
    },
    documentation,
  )
  const at = (name: string) => `field-${drafts.findIndex((one) => one.property.name === name)}`
  const { values } = readForm(drafts)
  const refused = async (more: object) => {
    try {
      await client.collection('things').create({ ...values, ...more })
    } catch (error) {
      assert.ok(error instanceof ApiError)
      return placeViolations(error, drafts)
    }
    return []
  }
  assert.deepEqual(
    inOrder(await refused({})).map(({ id }) => id),
    [at('code'), `${at('former')}-1-1`],
  )
  const more = { title: undefined, tags: ['aa', 'b'], home: { street: 'far too long for it' } }
  const expected: [id: string, start: string][] = [
    [at('title'), 'Title '],
    [at('code'), 'Code '],
    [`${at('tags')}-2`, 'Tag 3 '],
    [`${at('home')}-0`, 'Home: Street '],
    [`${at('former')}-1-1`, 'Former 2: Country '],
  ]
  assert.deepEqual(
    inOrder(await refused(more)).map(({ id, sentence }, index) => {
      const start = expected[index]?.[1] ?? ''
      return [id, sentence.startsWith(start) ? start : sentence]
    }),
    expected,
  )
})
