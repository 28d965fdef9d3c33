import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createClient } from 'hydrant-client'
import {
  isHydrant,
  type QueryVariable,
  readVariables,
} from '../../../../console/shared/connection/search-variables.ts'
import { PARAPHRASE, USER } from '../../../support/client.ts'
import { serve } from '../../../support/service.ts'
import { describedClass } from '../../table-class.ts'

/** Names that a query uses for itself are taken by properties too. */
const API = `
title: Shop
classes:
  Thing:
    properties:
      name: { type: string, required: true }
      order: integer
      page: integer
      sort: string
      q: string
      eq: boolean
      tags: { type: string, many: true }
      owner: Thing
`

const saying = (variable: QueryVariable): string =>
  variable.role === 'filter'
    ? `${variable.operator} ${variable.property?.name ?? '?'}${variable.repeatable ? ' (any of)' : ''}`
    : 'property' in variable
      ? `${variable.role} ${variable.property.name}`
      : variable.role

const meanings = (variables: readonly QueryVariable[]): Record<string, string> =>
  Object.fromEntries(variables.map((variable) => [variable.name, saying(variable)]))

test('every variable of a search template of Hydrant is recognised, whatever the names of properties', async (t) => {
  const { base } = await serve(t, { api: API })
  const client = createClient({ base, credentials: { id: USER, paraphrase: PARAPHRASE } })
  const { memberClass } = (await client.collections())[0] ?? {}
  const template = await client.collection('things').search()
  assert.equal(isHydrant(template), true)
  const { classes } = await client.documentation()
  const variables = readVariables(template, memberClass, classes)
  const found = meanings(variables)
  const expected = {
    name: 'eq name (any of)',
    'name.ne': 'ne name',
    'name.startsWith': 'startsWith name',
    'name.contains': 'contains name',
    'name.exists': 'exists name',
    'order[name]': 'order name',
    order: 'eq order (any of)',
    'order.gte': 'gte order',
    'order[order]': 'order order',
    'page.eq': 'eq page (any of)',
    'page.lt': 'lt page',
    'page.exists': 'exists page',
    'sort.eq': 'eq sort (any of)',
    'q.eq': 'eq q (any of)',
    eq: 'eq eq (any of)',
    'eq.exists': 'exists eq',
    'order[eq]': 'order eq',
    tags: 'eq tags (any of)',
    owner: 'eq owner (any of)',
    'order[owner]': 'order owner',
    'owner.name': 'eq owner.name (any of)',
    'order[owner.name]': 'order owner.name',
    // Not in the template, but every operator works behind a link.
    'owner.name.contains': 'contains owner.name',
    'owner.page.gte': 'gte owner.page',
    'owner.owner.exists': 'exists owner.owner',
    // The path to the property "eq" of the owner.
    'owner.eq': 'eq owner.eq (any of)',
    'owner.eq.ne': 'ne owner.eq',
    q: 'text',
    sort: 'sort',
    page: 'position',
    after: 'position',
    before: 'position',
    itemsPerPage: 'limit',
  }
  assert.deepEqual(Object.fromEntries(Object.keys(expected).map((name) => [name, found[name]])), expected)
  assert.equal('order[tags]' in found, false)
  const unknown = variables.filter((one) => one.role === 'filter' && one.property === undefined)
  assert.deepEqual(unknown, [])
})

test('a template of API Platform is recognised by its names, and an unknown variable is a comparison', () => {
  const names = [
    ...['title', 'title[]', 'order[title]', 'exists[title]', 'price[gt]', 'price[between]'],
    ...['published[before]', 'published[strictly_after]', 'author.name', 'order[author.name]', 'fancy'],
    ...['page', 'itemsPerPage'],
  ]
  const template = `/books{?${names.join(',')}}`
  // It maps to plain names, which are no IRIs of anything.
  const variables = names.map((name) => ({
    name,
    property: `http://shop.example/${name.replace(/^.*\[|\[.*$|\]/g, '')}`,
    required: false,
  }))
  assert.equal(isHydrant({ template, variables }), false)
  assert.deepEqual(
    meanings(
      readVariables(
        { template, variables },
        describedClass({ name: 'title' }, { name: 'price' }, { name: 'published' }),
      ),
    ),
    {
      title: 'eq title',
      'title[]': 'in title (any of)',
      'order[title]': 'order title',
      'exists[title]': 'exists title',
      'price[gt]': 'gt price',
      'price[between]': 'between price',
      'published[before]': 'lte published',
      'published[strictly_after]': 'gt published',
      'author.name': 'eq ?',
      'order[author.name]': 'eq ?',
      fancy: 'eq ?',
      page: 'position',
      itemsPerPage: 'limit',
    },
  )
})

test('free text and paging are recognised by the properties of Hydra, whatever the names of variables', () => {
  const hydra = (name: string) => `http://www.w3.org/ns/hydra/core#${name}`
  const given = { words: 'freetextQuery', many: 'limit', nth: 'pageIndex', from: 'offset' }
  const variables = Object.entries(given).map(([name, property]) => ({
    name,
    property: hydra(property),
    required: false,
  }))
  const template = '/things{?words,many,nth,from}'
  assert.deepEqual(meanings(readVariables({ template, variables }, undefined)), {
    words: 'text',
    many: 'limit',
    nth: 'position',
    from: 'position',
  })
})

test('a name after a dot is an operator unless a property has that name', () => {
  const inner = { ...describedClass({ name: 'gte' }), iri: 'http://shop.example/docs#Size' }
  const described = describedClass({ name: 'price' }, { name: 'size' })
  const properties = described.properties.map((one) =>
    one.name === 'size' ? { ...one, range: inner.iri } : one,
  )
  const outer = { ...described, properties }
  const names = ['price.gte', 'price.exists', 'size.gte', 'price.fancy', 'other.gte']
  const variables = names.map((name) => ({ name, property: undefined, required: false }))
  const template = `/things{?${names.join(',')}}`
  assert.deepEqual(meanings(readVariables({ template, variables }, outer, [inner])), {
    'price.gte': 'gte price',
    'price.exists': 'exists price',
    'size.gte': 'eq size.gte',
    'price.fancy': 'eq ?',
    'other.gte': 'eq ?',
  })
})
