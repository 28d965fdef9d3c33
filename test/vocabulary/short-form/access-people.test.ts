import assert from 'node:assert/strict'
import { test } from 'node:test'
import { whoMay } from '../../../src/vocabulary/index.ts'
import { readAccessFile } from '../../../src/vocabulary/short-form/short-form.ts'
import { inShort } from '../../support/problems.ts'
import { modelOf, problemsOf } from '../api-files.ts'

const OFFICE = `
roles: [bookkeeper]
accounts: { manage: bookkeeper, view: everyone, rename: everyone }
classes:
  Customer: { properties: { name: string, contact: Account } }
  Invoice:
    access: { view: [bookkeeper, customer.contact], write: bookkeeper }
    properties:
      number: string
      customer: Customer
      rate: { type: decimal, view: bookkeeper, write: bookkeeper }
  Project: { properties: { members: { type: Account, many: true } } }
  Task:
    access: { all: [owner, project.members], create: everyone }
    properties: { project: Project, assignee: { type: Account, default: user } }
`

// contract: ```yaml Invoice: access
// contract: In `access`, next to roles and `owner`, a path to accounts may stand
// contract: In the API file (or the `--access` file): `accounts
test('rules name paths to accounts, and properties have rules of their own', () => {
  const { classes, access, accounts } = modelOf(OFFICE)
  assert.deepEqual(whoMay(access, 'Invoice', 'read').paths, ['customer.contact'])
  assert.deepEqual(whoMay(access, 'Invoice', 'update').paths, [])
  const { owner, paths } = whoMay(access, 'Task', 'list')
  assert.deepEqual([owner, paths], [true, ['project.members']])
  const rate = classes.find(({ name }) => name === 'Invoice')?.properties.find(({ name }) => name === 'rate')
  assert.deepEqual([rate?.view?.roles, rate?.write?.roles], [['bookkeeper'], ['bookkeeper']])
  assert.deepEqual(accounts?.manage.roles, ['bookkeeper'])
  assert.deepEqual([accounts?.view.everyone, accounts?.rename.everyone], [true, true])
})

test('accounts may be said in the access file, once', () => {
  const api = (start: string) => modelOf(`${start}classes: { Topic: { properties: { name: string } } }`)
  const read = (start: string) =>
    readAccessFile('roles: [admin]\naccounts: { manage: admin }', { model: api(start), notes: [] })
  const beside = read('')
  assert.ok('model' in beside)
  assert.deepEqual(beside.model.accounts?.manage.roles, ['admin'])
  const twice = read('accounts: { view: everyone }\n')
  assert.ok('problems' in twice)
  assert.deepEqual(twice.problems.map(inShort), ['2:1 AccountsTwice'])
})

const codesOf = (file: string) => problemsOf(file).map((text) => text.replace(/^[\d:]+ |\(.*/g, ''))

const withTask = (access: string, properties = '') => `
roles: [clerk]
classes:
  Task: { access: { ${access} }, properties: { title: string, of: Task, assignee: Account${properties} } }
`

const PROBLEMS: readonly (readonly [what: string, file: string, ...codes: string[]])[] = [
  ['a property that is no link', withTask('read: title, write: nobody'), 'PathWithoutAccounts'],
  ['a link to something else', withTask('read: of, write: nobody'), 'PathWithoutAccounts'],
  ['three steps', withTask('read: of.of.assignee, write: nobody'), 'PathWithoutAccounts'],
  ['nothing of that name', withTask('read: asignee, write: nobody'), 'UnknownGrantee'],
  [
    'what is not indexed',
    withTask('read: by, write: nobody', ', by: { type: Account, filterable: false }'),
    'PathNotFilterable',
  ],
  ['anyone who writes', withTask('view: anyone, update: anyone'), 'AnyoneOnlyReads'],
  ['anyone who does everything', withTask('all: anyone'), 'AnyoneOnlyReads'],
  [
    'anyone who writes a property',
    withTask('view: anyone', ', a: { type: string, write: anyone }'),
    'AnyoneOnlyReads',
  ],
  [
    'who writes blindly',
    withTask('view: everyone', ', a: { type: string, view: clerk, write: everyone }'),
    'WriteWithoutView',
  ],
  [
    'what creators cannot write',
    withTask('view: everyone', ', a: { type: string, required: true, view: clerk }'),
    'RequiredUnwritable',
  ],
  [
    'a label that others cannot see',
    withTask('view: everyone', ', name: { type: string, view: clerk }'),
    'LabelHidden',
  ],
  ['an owner of accounts', `accounts: { manage: owner }\n${withTask('view: everyone')}`, 'AccountRuleUnfit'],
  ['accounts for anyone', `accounts: { view: anyone }\n${withTask('view: everyone')}`, 'AccountRuleUnfit'],
  [
    'accounts as a class',
    'classes: { Account: { collection: people, properties: { a: string } } }',
    'ReservedClassName',
  ],
  [
    'accounts as a path',
    'classes: { A: { collection: accounts, properties: { a: string } } }',
    'ReservedPath',
  ],
]

// contract: A path that does not lead to accounts is a problem with its place.
// contract: Problems of the file: a required property without default that somebody who may create may not write
// contract: Where the API file says so, and only there
// contract: `accounts` is a reserved name from now on.
test('every mistake in rules about people is a problem', () => {
  for (const [what, file, ...codes] of PROBLEMS) assert.deepEqual(codesOf(file), codes, what)
  const [place] = problemsOf(withTask('read: title, write: nobody'))
  assert.match(place ?? '', /^4:27 /)
})
