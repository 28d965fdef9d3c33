import assert from 'node:assert/strict'
import { test } from 'node:test'
import { permittedModel, queriedModel } from '../../../src/vocabulary/index.ts'
import { classIn, modelOf, problemsOf } from '../api-files.ts'

const EMBEDDED = '  Address: { collection: false, properties: { city: { type: string, view: clerk } } }'

/** The properties of a class whose members everyone may see, and what is wrong with them. */
const PROBLEMS: [properties: string, problem: string, more?: string][] = [
  ['name: string, rate: { type: decimal, view: clerc }', '4:62 UnknownGrantee(clerc, → clerk)'],
  ['name: string, rate: { type: decimal, view: [] }', '4:62 NoGrantee'],
  ['name: string, rate: { type: decimal, view: clerk, write: boss }', '4:76 WriteWithoutView(rate, boss)'],
  [
    'name: string, rate: { type: decimal, view: clerk, write: everyone }',
    '4:76 WriteWithoutView(rate, everyone)',
  ],
  ['name: string, rate: { type: decimal, view: clerk, write: owner }', '4:76 WriteWithoutView(rate, owner)'],
  ['name: string, rate: { type: decimal, write: anyone }', '4:63 AnyoneOnlyReads'],
  [
    'name: string, rate: { type: decimal, required: true, view: clerk }',
    '4:78 RequiredUnwritable(rate, everyone)',
  ],
  [
    'name: string, rate: { type: decimal, required: true, write: clerk }',
    '4:79 RequiredUnwritable(rate, everyone)',
  ],
  ['name: { type: string, view: clerk }', '4:47 LabelHidden(name, everyone)'],
  [
    'name: string, to: { type: Account, filterable: false }, rate: { type: decimal, view: to }',
    '4:104 PathNotFilterable(to, to)',
  ],
  [
    'name: string, to: Account, rate: { type: decimal, view: to.name }',
    '4:75 PathWithoutAccounts(to.name, Job, of to … to)',
  ],
  ['name: string, at: Address', '5:75 RuleWithinEmbedded(city, Address)', EMBEDDED],
]

const file = (properties: string, more = ''): string =>
  `roles: [clerk, boss]\nclasses:\n  Job:\n    properties: { ${properties} }\n${more}`

test('every mistake in the rules of a property is one problem with its place', () => {
  for (const [properties, problem, more] of PROBLEMS)
    assert.deepEqual(problemsOf(file(properties, more)), [problem], properties)
})

test('rules name roles, owners and paths to accounts; a required property has a default, or can be written', () => {
  for (const properties of [
    'name: string, rate: { type: decimal, view: [clerk, owner], write: owner }',
    'name: string, rate: { type: decimal, required: true, write: clerk, default: 1 }',
    'name: string, to: Account, rate: { type: decimal, view: to }',
    'name: string, rate: { type: decimal, view: nobody }',
    'name: string, rate: { type: decimal, view: anyone }',
  ])
    assert.ok(modelOf(file(properties)).access, properties)
})

const shape = ({ classes }: ReturnType<typeof modelOf>) =>
  classes.map(({ name, properties }) => [name, ...properties.map((one) => one.name)].join(' ')).join(', ')

test('a permitted model has the properties for these roles, and a queried one those of all members', () => {
  const model = modelOf(
    file(
      'name: string, rate: { type: decimal, view: clerk }, pay: { type: integer, view: [boss, owner] }, at: { type: Address, view: clerk }, fee: { type: integer, write: clerk }',
      '  Address: { collection: false, properties: { city: string } }',
    ),
  )
  const permitted = permittedModel(model, [])
  assert.equal(shape(permitted), 'Job name pay fee')
  assert.equal(shape(queriedModel(permitted, [])), 'Job name fee')
  const clerks = permittedModel(model, ['clerk'])
  assert.equal(shape(clerks), 'Job name rate pay at fee, Address city')
  const job = classIn(permitted, 'Job')
  assert.deepEqual(
    job.properties.map(({ writable }) => writable),
    [true, true, false],
  )
  assert.equal(classIn(clerks, 'Job').within.length, 1)
  assert.equal(job.within.length, 0)
  // As if the rest had never been: the fingerprint would tell a guess.
  const never = modelOf(file('name: string, pay: integer, fee: integer'))
  assert.equal(job.fingerprint, classIn(never, 'Job').fingerprint)
  // A class of which everything is for everyone is the very object.
  const both = permittedModel(model, ['clerk', 'boss'])
  assert.deepEqual(classIn(both, 'Job').properties, classIn(model, 'Job').properties)
})

test('the words of a text for some are stored apart, which the fingerprint tells', () => {
  const fingerprint = (properties: string) => classIn(modelOf(file(properties)), 'Job').fingerprint
  const plain = fingerprint('name: string, memo: string')
  assert.notEqual(fingerprint('name: string, memo: { type: string, view: clerk }'), plain)
  assert.equal(fingerprint('name: string, memo: { type: string, write: clerk }'), plain)
  const numbers = fingerprint('name: string, rate: decimal')
  assert.equal(fingerprint('name: string, rate: { type: decimal, view: clerk }'), numbers)
})
