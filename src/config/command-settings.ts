import { readDatabase } from './database.ts'
import { type Setting, toggle } from './settings.ts'
import * as values from './values.ts'

/** Of HYDRANT_HISTORY: `24h/1000000` says how much of the feed a server keeps. No class begins with a digit. */
const isForFeed = (text: string): boolean => /^\d\w*\//.test(text)

/** The settings of other commands, apart from `--db` and `--base-url`. */
export const COMMAND_SETTINGS = {
  json: toggle('json', 'output for programs', 'off'),
  format: {
    flag: 'format <format>',
    help: "ndjson, csv or jsonld, which in an import includes json-server's db.json",
    shownDefault: "by the ending of the file's name, else ndjson",
    read: values.readFormat,
  },
  csvClass: {
    flag: 'class <name>',
    help: 'in CSV, class of the members; in other formats they name it themselves',
    shownDefault: 'by the name of the file',
    read: String,
  },
  exportedClass: {
    flag: 'class <name>',
    help: 'write only the members of this class',
    shownDefault: 'all, or for CSV the class that the file is named after',
    read: String,
  },
  withHistory: {
    ...toggle('history', 'also write the history of members, and deleted members', 'off'),
    isForOther: isForFeed,
  },
  spreadsheet: toggle(
    'spreadsheet',
    "in CSV, texts that a spreadsheet would read as formulas have a ' before them",
    'off',
  ),
  dates: {
    flag: 'dates <form>',
    help: 'in CSV, how dates are written: dd.mm.yyyy, mm/dd/yyyy or another order',
    shownDefault: 'yyyy-mm-dd',
    read: values.readDates,
  },
  decimalComma: toggle('decimal-comma', 'in CSV, numbers are written with a comma: 1.234,50', 'off'),
  encoding: {
    flag: 'encoding <encoding>',
    help: 'encoding of the file: utf-8, latin1 (which is Windows-1252) or utf-16',
    default: 'utf-8',
    read: values.readEncoding,
  },
  data: {
    flag: 'from <data>',
    help: 'CSV, the db.json of json-server, a database, or an OpenAPI document, to propose an API file for',
    read: String,
  },
  from: { flag: 'from <db>', help: 'the SQLite database, sqlite:<path>', read: readDatabase },
  to: {
    flag: 'to <db>',
    help: 'the empty database, postgres://user@host/database; if it has a password, use the variable',
    read: readDatabase,
  },
  role: {
    flag: 'role <role>',
    help: 'role of the user; may be given several times',
    repeats: true,
    read: values.readRoles,
  },
  api: {
    flag: 'api <api-file>',
    help: 'API file that declares the roles',
    shownDefault: 'api.yaml in this folder',
    read: String,
  },
  userName: {
    flag: 'name <name>',
    help: 'name of the user, to sign in with in place of the id',
    read: values.readUserName,
  },
  noName: toggle('none', 'the user has no name', 'off'),
  noRoles: toggle('none', 'the user has no role', 'off'),
  as: {
    flag: 'as <who>',
    help: `also print what a user with this role may do, or with several; ${values.WITHOUT_ROLES} for one without roles, anyone for people who have not signed in, or the id or name of a user of the database`,
    repeats: true,
    read: String,
  },
  asRoles: {
    flag: 'as <role>',
    help: `types for users with this role, or with several; ${values.WITHOUT_ROLES} for one without roles`,
    shownDefault: 'everything that the file describes',
    repeats: true,
    read: values.readRoles,
  },
  owner: {
    flag: 'owner <id>',
    help: 'user to whom the members that are added belong',
    shownDefault: 'nobody',
    read: values.readId,
  },
  hooks: toggle('hooks', 'run the hooks of the module that --with names', 'on'),
  asStored: toggle(
    'as-stored',
    'take members that break a constraint as they are, such as those of an export, and add no defaults',
    'off',
  ),
  out: { flag: 'out <file>', help: 'file to write', shownDefault: 'standard output', read: String },
  signInAs: {
    flag: 'user <id|name>',
    help: 'user who signs in, by id or name, if the API requires it',
    read: values.readIdOrName,
  },
  paraphraseFile: {
    flag: 'paraphrase-file <file>',
    help: 'file whose first line is the passphrase of the user',
    shownDefault: 'you are asked for it',
    read: String,
  },
  tokensOf: { flag: 'user <id>', help: 'all tokens of a user', read: values.readId },
  tokenId: {
    flag: 'token-id <n>',
    help: 'one token, by its number in "hydrant token list"',
    read: values.readTokenId,
  },
  readOnly: toggle('read-only', 'leave out the tools that change something', 'off'),
  force: toggle('force', 'rename the existing database, and print its new name', 'off'),
  hidden: {
    flag: 'hidden [name]',
    help: 'remove what is hidden: all of it, or only a class (Book) or a property (Book.subtitle)',
    shownDefault: 'list it',
    read: String,
  },
  purgedHistory: {
    flag: 'history [name]',
    help: 'remove entries of the history: all of them, or those of a class (Book) or of a member (Book/1)',
    isForOther: isForFeed,
    read: String,
  },
  before: {
    flag: 'before <date>',
    help: 'with --history: only entries that were made before, such as 2026-01-31 or 2026-01-31T12:00:00Z',
    shownDefault: 'all',
    read: values.readTime,
  },
  purgedMember: {
    flag: 'member <address>',
    help: 'remove one member with its history and its changes in the log: its address, or the end of it (books/1)',
    read: String,
  },
  yes: toggle('yes', 'remove without a question', 'off'),
  compact: toggle(
    'compact',
    'leave nothing of what was removed in the files, and give the space back',
    'off',
  ),
  allTokens: toggle('all', 'every token', 'off'),
} satisfies Record<string, Setting<unknown>>
