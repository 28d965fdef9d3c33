import { describe } from 'node:test'
import { ACCESS } from '../../../src/service/problems/api-file.ts'
import { testSentences } from '../../support/sentences.ts'

describe('sentences about roles and access rules', () => {
  testSentences(ACCESS, [
    [
      'InvalidRole',
      {},
      'a role must be a name of 1 to 64 lower-case letters, digits and "-" that begins with a letter, such as editor',
    ],
    [
      'ReservedRole',
      { role: 'owner' },
      'a role cannot be called "owner", which has a meaning of its own in access rules; choose another name',
    ],
    ['DuplicateRole', { role: 'editor' }, '"editor" is in the roles twice; keep one of them'],
    [
      'RulesTwice',
      { className: undefined },
      'the API file has access rules for all classes already; keep those of one file',
    ],
    [
      'RulesTwice',
      { className: 'Book' },
      'the API file has access rules for Book already; keep those of one file',
    ],
    [
      'RulesOfEmbedded',
      { className: 'Address' },
      'Address has no operations of its own; give the rules to the class that embeds it',
    ],
    [
      'RuleWithoutOperation',
      { operation: 'history' },
      'the class keeps no history; write "history: true" for it, or remove this rule',
    ],
    [
      'RuleWithoutOperation',
      { operation: 'delete' },
      'the class has no operation delete; add it to "operations", or remove this rule',
    ],
    [
      'UnknownGrantee',
      { name: 'editr', known: ['editor', 'everyone', 'owner', 'nobody'] },
      '"editr" is neither a role nor a link to accounts; did you mean "editor"?',
    ],
    [
      'UnknownGrantee',
      { name: 'editor', known: ['everyone', 'owner', 'nobody'] },
      '"editor" is neither a role nor a link to accounts; declare it in "roles", or write one of everyone, owner, nobody',
    ],
    [
      'UnknownGrantee',
      { name: undefined, known: ['everyone', 'owner', 'nobody'] },
      'this is neither a role nor a link to accounts; write one of everyone, owner, nobody',
    ],
    [
      'UnknownGrantee',
      { name: 'admin', known: ['nobody'] },
      '"admin" is neither a role nor a link to accounts; declare it in "roles", or write nobody',
    ],
    ['NoGrantee', {}, 'the list is empty; name who may, or write nobody'],
    ['NobodyAndOthers', {}, '"nobody" cannot be combined with others; remove it, or remove the others'],
    [
      'NoOwnerOfSingle',
      { className: 'Home' },
      'Home is a single resource, which has no owner; name roles or everyone',
    ],
    [
      'OwnerCannotCreate',
      { collection: 'books' },
      '"owner" says nothing about who may create books: a new member has no owner yet; name roles or everyone in "create", which takes precedence over "write" and "all"',
    ],
    [
      'ChangeWithoutRead',
      { who: 'editor', operations: ['update', 'delete'], what: 'books' },
      'editor may update, delete books but not read; allow both or neither',
    ],
    [
      'ChangeWithoutRead',
      { who: 'owner', operations: ['update'], what: 'books' },
      'the owner may update books but not read; allow both or neither',
    ],
    ['AccountsTwice', {}, 'the API file says who manages accounts already; keep "accounts" in one file'],
    [
      'PathWithoutAccounts',
      { path: 'project.name', className: 'Task', known: [] },
      '"project.name" does not lead from Task to accounts; name one or two links, the last of them to Account',
    ],
    [
      'PathWithoutAccounts',
      { path: 'project.membres', className: 'Task', known: ['assignee', 'project.members'] },
      '"project.membres" does not lead from Task to accounts; did you mean "project.members"?',
    ],
    [
      'PathWithoutAccounts',
      { path: 'title', className: 'Task', known: ['project.members', 'assignee'] },
      '"title" does not lead from Task to accounts; possible: project.members, assignee',
    ],
    [
      'PathNotFilterable',
      { path: 'project.members', name: 'members' },
      '"project.members" cannot be followed, since "members" has no index; remove "filterable: false" from it',
    ],
    [
      'PathNotInClass',
      { path: 'assignee', className: 'Book' },
      '"assignee" is not a path from Book to accounts; give Book rules of its own, or the path to the classes that have it',
    ],
    [
      'PathOfSingle',
      { className: 'Home' },
      'Home is a single resource, whose rules cannot follow links; name roles or everyone',
    ],
    [
      'AnyoneOnlyReads',
      {},
      '"anyone" may only list and read; name roles, or write everyone, which means every user who has signed in',
    ],
    [
      'WriteWithoutView',
      { name: 'rate', who: 'clerk' },
      'clerk may write "rate" but not view it; allow both or neither',
    ],
    [
      'WriteWithoutView',
      { name: 'rate', who: 'owner' },
      'the owner may write "rate" but not view it; allow both or neither',
    ],
    [
      'RequiredUnwritable',
      { name: 'rate', who: 'everyone' },
      '"rate" is required, and everyone may create members, but not everyone may write it; give it a default, or let them write it',
    ],
    [
      'LabelHidden',
      { name: 'title', who: 'everyone' },
      '"title" is in the label, which names a member to everyone who sees it, and not everyone may view it; choose another label, or let them view it',
    ],
    [
      'RequiredUnwritable',
      { name: 'rate', who: 'clerk' },
      '"rate" is required, and clerk may create members, but not write it; give it a default, or let them write it',
    ],
    [
      'LabelHidden',
      { name: 'title', who: 'owner' },
      '"title" is in the label, which names a member to everyone who sees it, and the owner may not view it; choose another label, or let them view it',
    ],
    [
      'RuleWithinEmbedded',
      { name: 'city', className: 'Address' },
      'Address is embedded, and is shown as a whole or not at all; move the rule of "city" to the property that embeds Address',
    ],
    [
      'AccountRuleUnfit',
      { rule: 'view', who: 'owner' },
      '"owner" cannot be used in "view" of "accounts"; name roles, or write everyone or nobody',
    ],
    [
      'AccountRuleUnfit',
      { rule: 'manage', who: 'everyone' },
      '"everyone" cannot be used in "manage" of "accounts"; name roles, or write nobody',
    ],
    [
      'AccountRuleUnfit',
      { rule: 'rename', who: 'admin' },
      '"admin" cannot be used in "rename" of "accounts"; write everyone or nobody',
    ],
  ])
})
