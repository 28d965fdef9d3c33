import { describe } from 'node:test'
import { FOLLOWERS, HOOKS, START } from '../../../src/service/problems/start.ts'
import { testSentences } from '../../support/sentences.ts'

const MODULE = { path: 'hooks.ts' }

describe('sentences about a service that cannot start', () => {
  testSentences(START, [
    [
      'PortTaken',
      { host: '127.0.0.1', port: 8080, flag: '--port' },
      'Port 8080 of 127.0.0.1 is taken by another program; stop that one, or choose a port with --port (0 for any free one).',
    ],
    [
      'PortForbidden',
      { port: 80, flag: '--port' },
      'This user may not listen on port 80; choose one from 1024 up with --port.',
    ],
    [
      'ForeignAddress',
      { host: '192.0.2.1', flag: '--host' },
      '192.0.2.1 is not an address of this machine; choose one with --host, such as 127.0.0.1 or 0.0.0.0.',
    ],
    ['ConsoleNotBuilt', { folder: '' }, 'The console is not built; build it with: npm run build'],
    [
      'ConsoleNotBuilt',
      { folder: '../hydrant' },
      'The console is not built; build it with: npm --prefix ../hydrant run build',
    ],
    [
      'RulesWithoutUsers',
      { file: 'access.yaml' },
      'access.yaml has access rules, and with authentication off users cannot be told apart; leave --no-auth out, or remove the rules from the file.',
    ],
    [
      'RulesWithoutUsers',
      { file: undefined },
      'the API file has access rules, and with authentication off users cannot be told apart; leave --no-auth out, or remove the rules from the file.',
    ],
    [
      'ModuleNotLoaded',
      { ...MODULE, line: 3, reason: 'x is not defined' },
      'hooks.ts:3 cannot be loaded: x is not defined',
    ],
    [
      'ModuleNotLoaded',
      { ...MODULE, line: undefined, reason: 'there is no such file' },
      'hooks.ts cannot be loaded: there is no such file',
    ],
    [
      'ModuleTimeout',
      { ...MODULE, seconds: 10 },
      'hooks.ts has not finished loading after 10 s: it awaits something at its top level.',
    ],
    [
      'NoDefaultExport',
      MODULE,
      'hooks.ts has no default export with hooks, operations or followers; add: export default { hooks: { … } }',
    ],
    [
      'UnknownExtension',
      { ...MODULE, name: 'hook', known: ['hooks', 'operations'] },
      'hooks.ts: the default export cannot have "hook"; did you mean "hooks"?',
    ],
    [
      'AccountsInTransaction',
      {},
      'Accounts cannot be written in a transaction, since users are kept apart from members; write them before or after it.',
    ],
    [
      'NoSuchMembers',
      { name: 'ordres', known: ['orders', 'items'] },
      'There are no members called "ordres"; did you mean "orders"?',
    ],
    ['InvalidHooks', {}, ''],
    ['InvalidFollowers', {}, ''],
  ])
})

describe('sentences about hooks', () => {
  testSentences(HOOKS, [
    [
      'UnknownHookClass',
      { name: 'Boook', known: ['Book'] },
      '"Boook" is not a class with members; did you mean "Book"?',
    ],
    [
      'UnknownHook',
      { name: 'beforWrite', known: ['beforeWrite', 'afterWrite'] },
      '"beforWrite" is not a hook; did you mean "beforeWrite"?',
    ],
    ['HookNotFunction', {}, 'this must be a function.'],
  ])
})

describe('sentences about followers', () => {
  testSentences(FOLLOWERS, [
    [
      'FollowerName',
      {},
      'the name of a follower has letters a to z, digits and hyphens, at most 64, and begins with a letter.',
    ],
    ['NotFollower', {}, 'this must be an object with classes and handle.'],
    [
      'UnknownKey',
      { name: 'handel', known: ['classes', 'handle'] },
      '"handel" is not part of a follower; did you mean "handle"?',
    ],
    ['NoClasses', {}, "this must be a list of the classes to follow, such as ['Order']."],
    [
      'UnknownClass',
      { name: 'Boook', known: ['Book'] },
      '"Boook" is not a class with members; did you mean "Book"?',
    ],
    ['NotFunction', {}, 'this must be a function.'],
  ])
})
