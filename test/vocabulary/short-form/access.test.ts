import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ApiFileProblems, Operation } from '../../../src/vocabulary/index.ts'
import { rightTo, whoMay } from '../../../src/vocabulary/index.ts'
import { readAccessFile } from '../../../src/vocabulary/short-form/short-form.ts'
import { inShort } from '../../support/problems.ts'
import { findProblems, modelOf, problemsOf } from '../api-files.ts'

/** The example of access.md, with a class that says nothing. */
const NEWSROOM = `
roles: [editor, author]
access: { write: editor }
classes:
  Article:
    access:
      view: everyone
      create: [editor, author]
      update: [editor, owner]
      delete: editor
    properties: { title: string }
  Draft:
    access: { all: owner, create: everyone }
    properties: { title: string }
  Topic:
    properties: { name: string }
`

const inWords = (model: ReturnType<typeof modelOf>, cls: string, operation: Operation): string => {
  const { everyone, owner, roles } = whoMay(model.access ?? assert.fail('no access'), cls, operation)
  return [...(everyone ? ['everyone'] : []), ...roles, ...(owner ? ['owner'] : [])].join(' ') || 'nobody'
}

const RESOLVED: [cls: string, operation: Operation, who: string][] = [
  ['Article', 'list', 'everyone'],
  ['Article', 'read', 'everyone'],
  ['Article', 'create', 'editor author'],
  ['Article', 'update', 'editor owner'],
  ['Article', 'replace', 'editor'],
  ['Article', 'delete', 'editor'],
  ['Draft', 'list', 'owner'],
  ['Draft', 'read', 'owner'],
  ['Draft', 'create', 'everyone'],
  ['Draft', 'delete', 'owner'],
  ['Topic', 'read', 'everyone'],
  ['Topic', 'create', 'editor'],
]

// contract: ```yaml roles: [editor, author]
// contract: Operations: `list`, `create`
// contract: The first that says something counts
test('the first rule that says something counts: operation, group, all; of the class, then of the file', () => {
  const model = modelOf(NEWSROOM)
  assert.deepEqual(model.access?.roles, ['editor', 'author'])
  for (const [cls, operation, who] of RESOLVED) {
    assert.equal(inWords(model, cls, operation), who, `${cls} ${operation}`)
  }
})

// contract: Nothing here weakens `seed.md`: without a valid token
test('a file that says nothing about access has no rules', () => {
  assert.equal(modelOf('classes: { Topic: { properties: { name: string } } }').access, undefined)
})

// contract: Who: a declared role, `everyone`
test('a right is to any member, to those that one owns, or to none', () => {
  const { access } = modelOf(NEWSROOM)
  const right = (cls: string, operation: Operation, ...held: string[]) =>
    access && rightTo(whoMay(access, cls, operation), held)
  assert.equal(right('Article', 'update', 'author', 'editor'), 'any')
  assert.deepEqual(right('Article', 'update', 'author'), { owner: true, paths: [] })
  assert.equal(right('Article', 'delete', 'author'), 'none')
  assert.equal(right('Draft', 'create'), 'any')
})

/** Each with its problem. */
const PROBLEMS: [file: string, problem: string][] = [
  ['roles: [Editor]', '1:9 InvalidRole'],
  [`roles: [${'a'.repeat(65)}]`, '1:9 InvalidRole'],
  ['roles: [owner]', '1:9 ReservedRole(owner)'],
  ['roles: [a, a]', '1:12 DuplicateRole(a)'],
  ['roles: [editor]\naccess: { write: editr }', '2:18 UnknownGrantee(editr, → editor)'],
  ['access: { write: [5] }', '1:19 UnknownGrantee(of everyone … nobody)'],
  ['access: { writ: everyone }', '1:11 UnknownKey(writ, → write, access)'],
  ['access: { write: [] }', '1:18 NoGrantee'],
  ['access: { write: }', '1:18 NoGrantee'],
  ['access: { view: [nobody, everyone] }', '1:17 NobodyAndOthers'],
  ['access: { create: owner }', '1:19 OwnerCannotCreate(topics)'],
  ['access: { all: owner }', '1:16 OwnerCannotCreate(topics)'],
  [
    'roles: [a]\naccess: { read: a, write: everyone }',
    '2:27 ChangeWithoutRead(everyone, update replace delete, topics)',
  ],
  ['roles: [a]\naccess: { view: b, write: a }', '2:17 UnknownGrantee(b, → a)'],
  ['roles: [a]\naccess: { view: [], write: a }', '2:17 NoGrantee'],
  ['roles: [A]\naccess: { write: A }', '1:9 InvalidRole'],
  [
    'roles: [a, b]\naccess: { read: a, list: a, create: a, replace: a, update: b, delete: a }',
    '2:60 ChangeWithoutRead(b, update, topics)',
  ],
  [
    'roles: [a]\naccess: { view: a, create: a, replace: a, update: [a, owner], delete: a }',
    '2:51 ChangeWithoutRead(owner, update, topics)',
  ],
]

// contract: Problems of the file: an undeclared role
// contract: A role is `[a-z]
test('every mistake in roles and access is one problem with its place', () => {
  for (const [start, problem] of PROBLEMS) {
    const file = `${start}\nclasses: { Topic: { properties: { name: string } } }`
    assert.deepEqual(problemsOf(file), [problem], start)
  }
})

const TASKS = `classes:
  Task: { properties: { name: string, to: Account, off: { type: Account, filterable: false } } }
`

/** The start of a file with tasks, another class of it, and the problem. */
const PATH_PROBLEMS: [start: string, note: string, problem: string][] = [
  ['access: { view: [a, to] }', '{ properties: { name: string } }', '2:17 PathNotInClass(to, Note)'],
  ['access: { create: anyone }', '{ properties: { name: string } }', '2:19 AnyoneOnlyReads'],
  ['accounts: { manage: owner }', '{ properties: { name: string } }', '2:21 AccountRuleUnfit(manage, owner)'],
  [
    'accounts: { manage: [a, everyone] }',
    '{ properties: { name: string } }',
    '2:21 AccountRuleUnfit(manage, everyone)',
  ],
  ['accounts: { view: anyone }', '{ properties: { name: string } }', '2:19 AccountRuleUnfit(view, anyone)'],
  ['accounts: { rename: a }', '{ properties: { name: string } }', '2:21 AccountRuleUnfit(rename, a)'],
  [
    'accounts: { view: reader }',
    '{ properties: { name: string } }',
    '2:19 UnknownGrantee(reader, of a … nobody)',
  ],
  ['', '{ properties: { owned: Account }, access: { view: ownd } }', '5:59 UnknownGrantee(ownd, → owned)'],
  [
    '',
    '{ properties: { task: Task }, access: { view: task.name, write: a } }',
    '5:55 PathWithoutAccounts(task.name, Note, of task.to … task.off)',
  ],
  [
    '',
    '{ properties: { task: Task }, access: { view: [a, task.off], write: a } }',
    '5:59 PathNotFilterable(task.off, off)',
  ],
  [
    '',
    '{ collection: false, operations: [read], properties: { to: Account }, access: { view: [a, to] } }',
    '5:95 PathOfSingle(Note)',
  ],
]

test('every mistake in a path to accounts is one problem with its place', () => {
  for (const [start, note, problem] of PATH_PROBLEMS)
    assert.deepEqual(problemsOf(`roles: [a]\n${start}\n${TASKS}  Note: ${note}\n`), [problem], note)
})

/** Where `who` cannot stand, and what is suggested in its place. */
const SUGGESTED: [file: string, who: string, ...known: string[]][] = [
  ['access: { list: who }', 'foo', 'anyone', 'everyone', 'owner', 'nobody'],
  ['roles: [editor]\naccess: { history: who }', 'foo', 'editor', 'anyone', 'everyone', 'owner', 'nobody'],
  ['access: { update: who }', 'foo', 'everyone', 'owner', 'nobody'],
  ['access: { create: who }', 'foo', 'everyone', 'nobody'],
  ['access: { write: who }', 'foo', 'everyone', 'nobody'],
  ['access: { write: who, create: everyone }', 'foo', 'everyone', 'owner', 'nobody'],
  ['access: { all: who }', 'foo', 'everyone', 'nobody'],
  ['access: { all: who, create: everyone }', 'foo', 'everyone', 'owner', 'nobody'],
  ['accounts: { manage: who }', 'foo', 'nobody'],
  ['roles: [admin]\naccounts: { manage: who }', 'foo', 'admin', 'nobody'],
  ['accounts: { view: who }', 'foo', 'everyone', 'nobody'],
  ['accounts: { rename: who }', '5', 'everyone', 'nobody'],
  [
    'classes: { A: { access: { write: who }, properties: { by: Account } } }',
    'foo',
    'by',
    'everyone',
    'nobody',
  ],
  [
    'classes: { A: { operations: [list, read, update], access: { write: who }, properties: { a: string } } }',
    'foo',
    ...['everyone', 'owner', 'nobody'],
  ],
  [
    'classes: { A: { collection: false, operations: [read, replace], access: { all: who }, properties: { by: Account } } }',
    'foo',
    ...['everyone', 'nobody'],
  ],
  [
    'classes: { A: { properties: { a: string, b: { type: string, write: who } } } }',
    'foo',
    ...['everyone', 'owner', 'nobody'],
  ],
  [
    'classes: { A: { properties: { a: string, b: { type: string, view: who } } } }',
    'foo',
    ...['anyone', 'everyone', 'owner', 'nobody'],
  ],
]

test('who is suggested for a rule is not refused there', () => {
  for (const [start, who, ...known] of SUGGESTED) {
    const history = start.includes('history') ? 'history: true\n' : ''
    const classes = start.includes('classes') ? '' : '\nclasses: { A: { properties: { a: string } } }'
    const file = (name: string) => `${history}${start.replace('who', name)}${classes}`
    const [problem] = findProblems(file(who))
    assert.equal(problem?.code, 'UnknownGrantee', start)
    assert.deepEqual((problem.values as ApiFileProblems['UnknownGrantee']).known, known, start)
    for (const name of known) assert.ok(modelOf(file(name)), `${start} ${name}`)
  }
})

test('a role cannot rename accounts, whether it is declared or not', () => {
  for (const roles of ['roles: [admin]\n', '']) {
    const [problem] = problemsOf(`${roles}accounts: { rename: admin }\n${PLAIN}`)
    assert.match(problem ?? '', /AccountRuleUnfit\(rename, admin\)$/)
  }
})

test('who manages accounts is said in one file', () => {
  const said = 'roles: [a]\naccounts: { manage: a }'
  const found = filed(said, `${said}\n${PLAIN}`)
  assert.ok(Array.isArray(found) && found.includes('2:1 AccountsTwice'))
})

// contract: Problems of the file: an undeclared role
test('what shows the user who created a member is an integer, and not required', () => {
  const file = (property: string) => `classes: { Topic: { properties: { by: { ${property} } } } }`
  assert.equal(
    problemsOf(file('type: integer, required: true, default: user'))[0],
    '1:81 RequiredUserDefault(by)',
  )
  assert.equal(
    problemsOf(file('type: date, default: user'))[0],
    '1:62 InvalidValue(the default of "by", default, WrongDatatype(date))',
  )
  assert.equal(problemsOf(file('type: integer, many: true, default: user'))[0], '1:77 DefaultNotAList(by)')
})

test('rules of a class are about operations that it has, and owners are of members', () => {
  const topic = (cls: string) => `classes:\n  Topic: { ${cls}, properties: { name: string } }`
  assert.equal(
    problemsOf(topic('operations: [list, read], access: { create: everyone }'))[0],
    '2:48 RuleWithoutOperation(create)',
  )
  assert.deepEqual(
    problemsOf(topic('collection: false, operations: [read, replace], access: { all: owner }')),
    ['2:75 NoOwnerOfSingle(Topic)'],
  )
  const embedded =
    'classes:\n  A: { properties: { b: B } }\n  B: { collection: false, access: { all: nobody } }'
  assert.equal(problemsOf(embedded)[0], '3:27 RulesOfEmbedded(B)')
})

const NOTE = { code: 'TitleFromFile', at: {}, values: { title: 'api' }, kind: 'completed' } as const

const filed = (access: string, api: string) => {
  const result = readAccessFile(access, { model: modelOf(api), notes: [NOTE] })
  return 'model' in result ? result : result.problems.map(inShort)
}

const PLAIN = 'classes: { Topic: { properties: { name: string } } }'

// contract: With `--access <file>`
test('a file beside the API file says who may do what', () => {
  const result = filed('roles: [editor]\nclasses: { Topic: { access: { write: editor } } }', PLAIN)
  assert.ok('model' in result)
  assert.deepEqual(result.notes, [NOTE])
  assert.equal(inWords(result.model, 'Topic', 'delete'), 'editor')
  assert.equal(inWords(result.model, 'Topic', 'read'), 'everyone')
})

// contract: With `--access <file>`
test('both files at once on one class are a problem, and so are classes that do not exist', () => {
  assert.deepEqual(
    filed('access: { delete: nobody }\nclasses: { Draft: { access: { all: nobody } } }', NEWSROOM),
    ['1:1 RulesTwice', '2:21 RulesTwice(Draft)'],
  )
  assert.deepEqual(filed('classes: { Topik: { access: { all: nobody } } }', PLAIN), [
    '1:12 UnknownKey(Topik, → Topic, classes)',
  ])
  assert.deepEqual(filed('', PLAIN), ['1:1 EmptyAccessFile'])
  const added = filed('roles: [clerk]\nclasses: { Topic: { access: { delete: [clerk, editor] } } }', NEWSROOM)
  assert.ok('model' in added)
  assert.equal(inWords(added.model, 'Topic', 'delete'), 'clerk editor')
  assert.equal(inWords(added.model, 'Topic', 'update'), 'editor')
})
