import { COMMAND_SETTINGS, SETTINGS } from '../config/index.ts'
import type { CommandDefinition } from './command-definition.ts'

const { db, access, with: module } = SETTINGS
const { json, tokensOf, tokenId, allTokens, role, userName, noName, api, noRoles } = COMMAND_SETTINGS

/** `hydrant user` */
export const USER: readonly CommandDefinition[] = [
  {
    usage: 'add <id>',
    description: 'add a user; the passphrase is asked for, or read as one line from standard input',
    settings: [userName, role, api, access, module, db, json],
    examples: [
      'hydrant user add 1',
      'hydrant user add 2 --name anna@studio.example',
      'hydrant user add 2 --role editor --role author',
      'printf \'%s\\n\' "$PASSPHRASE" | hydrant user add 2',
    ],
    load: async () => (await import('./user.ts')).addUser,
  },
  {
    usage: 'list',
    description: 'list the users',
    settings: [db, json],
    examples: ['hydrant user list --json'],
    load: async () => (await import('./user.ts')).listUsers,
  },
  {
    usage: 'paraphrase <id>',
    description: "set a new passphrase, and end the user's tokens",
    settings: [db, json],
    examples: ['hydrant user paraphrase 1'],
    load: async () => (await import('./user.ts')).changeParaphrase,
  },
  {
    usage: 'name <id> [name]',
    description: 'give a user a name to sign in with, in place of the id, or a new one',
    settings: [noName, db, json],
    about: `
A name has 1 to 200 characters, not only digits, and no colon. Upper and lower case and accents make no difference: no
two users are called Anna and anna.`,
    examples: ['hydrant user name 2 anna@studio.example', 'hydrant user name 2 --none'],
    load: async () => (await import('./user.ts')).changeName,
  },
  {
    usage: 'roles <id> [roles...]',
    description: 'give a user these roles instead of those it has; they hold from the next request on',
    settings: [noRoles, api, access, module, db, json],
    examples: [
      'hydrant user roles 2 editor author',
      'hydrant user roles 2 editor --api newsroom.yaml',
      'hydrant user roles 2 --none',
    ],
    load: async () => (await import('./user.ts')).changeRoles,
  },
  {
    usage: 'remove <id>',
    description: 'remove a user; ends the tokens of the user',
    settings: [db, json],
    examples: ['hydrant user remove 1'],
    load: async () => (await import('./user.ts')).removeUser,
  },
]

/** `hydrant token` */
export const TOKEN: readonly CommandDefinition[] = [
  {
    usage: 'list',
    description: 'list the valid tokens, with the number of each',
    settings: [db, json],
    examples: ['hydrant token list'],
    load: async () => (await import('./user.ts')).listTokens,
  },
  {
    usage: 'revoke',
    description: 'end tokens at once: one, those of a user, or all',
    settings: [tokensOf, tokenId, allTokens, db, json],
    examples: ['hydrant token revoke --user 1', 'hydrant token revoke --token-id 12'],
    load: async () => (await import('./user.ts')).revokeTokens,
  },
]

/** `hydrant follower` */
export const FOLLOWER: readonly CommandDefinition[] = [
  {
    usage: 'list',
    description: 'list the followers: how far they have come, what waits, and the last error',
    settings: [db, json],
    examples: ['hydrant follower list', 'hydrant follower list --json'],
    load: async () => (await import('./follower.ts')).listFollowers,
  },
  {
    usage: 'skip <name>',
    description: 'pass over the change that fails; of several, the first',
    settings: [db, json],
    examples: ['hydrant follower skip mail'],
    load: async () => (await import('./follower.ts')).skipChange,
  },
  {
    usage: 'resume <name>',
    description: 'let a follower that is paused go on',
    settings: [db, json],
    examples: ['hydrant follower resume mail'],
    load: async () => (await import('./follower.ts')).resumeFollower,
  },
  {
    usage: 'rewind <name> <event>',
    description:
      'go back to an event that the log still has: it is handled again, and all that came after it',
    settings: [db, json],
    about: `
The event is an id of the feed, or the address that ends with it. An id that begins with a hyphen stands after "--".`,
    examples: ['hydrant follower rewind mail qEuQcYGkJMLQcC2xPXlFWw'],
    load: async () => (await import('./follower.ts')).rewindFollower,
  },
]
