import { COMMAND_SETTINGS, SETTINGS, type Setting } from '../config/index.ts'
import type { CommandDefinition } from './command-definition.ts'
import { FOLLOWER, TOKEN, USER } from './command-groups.ts'

const { db, baseUrl, auth, token, access, pageSize, maxPageSize, with: module, hookTime } = SETTINGS
const { json, format, from, to, out, signInAs, paraphraseFile } = COMMAND_SETTINGS
const { as, asRoles, owner, hooks, asStored, csvClass, data, force } = COMMAND_SETTINGS
const { hidden, purgedHistory, before, purgedMember, yes, compact } = COMMAND_SETTINGS
const { exportedClass, spreadsheet, dates, decimalComma, encoding, withHistory, readOnly } = COMMAND_SETTINGS

/** The command line. */
export const COMMANDS: readonly CommandDefinition[] = [
  {
    usage: 'serve [api-file]',
    description:
      'serve the API that a file describes; without one, api.yaml in this folder, else the bundled example',
    settings: Object.values<Setting<unknown>>(SETTINGS),
    examples: ['hydrant serve', 'hydrant serve library.yaml --db sqlite:library.db --port 9000'],
    isServer: true,
    load: async () => (await import('./serve/serve.ts')).serve,
  },
  {
    usage: 'init [folder]',
    description: 'write a commented api.yaml to start from, or one for data or a database that you have',
    settings: [data],
    about: `
--from proposes an API file for CSV, for the db.json of json-server, for the tables of a database of SQLite or PostgreSQL,
or for the schemas of an OpenAPI document (3.0 or 3.1). The database is only read. A password is better not an argument,
which others can read: give the address in HYDRANT_FROM, or the password in PGPASSWORD. What an API file cannot say is in
comments of the proposed file.`,
    examples: [
      'hydrant init',
      'hydrant init my-api',
      'hydrant init --from books.csv',
      'hydrant init --from sqlite:old.db',
      'hydrant init --from postgres://reader@db.example.org/shop',
      'hydrant init --from openapi.yaml',
    ],
    load: async () => (await import('./init.ts')).writeFirstApiFile,
  },
  {
    usage: 'check [api-file]',
    description:
      'report every problem in an API file (api.yaml by default), what was filled in by default, and what the file would refuse or change in the database',
    settings: [access, module, as, db, json],
    examples: [
      'hydrant check',
      'hydrant check api.yaml --db sqlite:library.db',
      'hydrant check newsroom.yaml --as editor',
      'hydrant check newsroom.yaml --as anyone',
      'hydrant check newsroom.yaml --as anna@studio.example --db sqlite:newsroom.db',
    ],
    load: async () => (await import('./check.ts')).checkApiFile,
  },
  {
    usage: 'schema',
    description: 'print the JSON Schema of API files, by which editors complete and check them',
    examples: ['hydrant schema > api.schema.json'],
    load: async () => (await import('./check.ts')).printSchema,
  },
  {
    usage: 'vocab <api-file>',
    description: 'print the ApiDocumentation that would be served, as JSON-LD',
    settings: [baseUrl, access, module, auth, token],
    examples: [
      'hydrant vocab api.yaml',
      'hydrant vocab api.yaml --base-url https://example.org/api > vocab.jsonld',
    ],
    load: async () => (await import('./check.ts')).printVocabulary,
  },
  {
    usage: 'openapi <api-file>',
    description: 'print the OpenAPI document that would be served, as JSON',
    settings: [baseUrl, access, module, auth, token, pageSize, maxPageSize],
    examples: ['hydrant openapi api.yaml --base-url https://example.org/api > openapi.json'],
    load: async () => (await import('./check.ts')).printOpenApi,
  },
  {
    usage: 'types <api-file|url>',
    description: 'write TypeScript types of an API, for the client library and for hooks',
    settings: [access, module, asRoles, out, signInAs, paraphraseFile],
    about: `
The passphrase of the user is asked for, or read as one line from a file or from standard input. The file of --out is
replaced only when all of the new types have been written.`,
    examples: [
      'hydrant types api.yaml --out src/api.ts',
      'hydrant types api.yaml --as editor --out src/api.ts',
      'hydrant types https://example.org/api --user 1 > src/api.ts',
    ],
    load: async () => (await import('./types.ts')).printTypes,
  },
  {
    usage: 'conform <url>',
    description: 'check whether an API conforms to Hydra, by the responses that it gives',
    settings: [signInAs, paraphraseFile, json],
    about: `
Follows the entry point, the documentation, the collections, a page and a member of each, and makes two requests that
must fail. All of them only read, and there are at most 60. The passphrase of the user is asked for, or read as one line
from a file or from standard input. The exit status is 1 if something that Hydra requires is wrong.`,
    examples: [
      'hydrant conform http://localhost:8080/api --user 1',
      'hydrant conform https://example.org/api --json',
    ],
    load: async () => (await import('./conform/conform.ts')).conform,
  },
  {
    usage: 'mcp <url>',
    description: 'serve any Hydra API as tools for agents, on standard input and output',
    settings: [readOnly],
    about: `
Needs the package hydrant-mcp, which is installed separately. HYDRANT_USER names the user, by id or name, and
HYDRANT_PARAPHRASE_FILE a file with the passphrase (or HYDRANT_PARAPHRASE is the passphrase itself): credentials are
never arguments. The host of the agent starts this command.`,
    examples: [
      'HYDRANT_USER=2 HYDRANT_PARAPHRASE_FILE=agent.txt hydrant mcp http://localhost:8080/api',
      'hydrant mcp https://example.org/api --read-only',
    ],
    load: async () => (await import('./mcp.ts')).serveAgents,
  },
  {
    usage: 'import <api-file> <data>',
    description:
      'add the members in a file of NDJSON, JSON-LD, CSV or json-server, or the rows of another database',
    settings: [
      access,
      module,
      hooks,
      hookTime,
      owner,
      asStored,
      csvClass,
      spreadsheet,
      dates,
      decimalComma,
      encoding,
      baseUrl,
      format,
      db,
      json,
    ],
    about: `
The data is NDJSON (a member on each line), JSON-LD, CSV with a header and commas, semicolons or tabs between the cells,
or the db.json of json-server; "-" is standard input. "@type" names the class of a member, and "@id" its address, such
as /books/1 or a full address below the base URL; "id" can give the id alone. A link is an address or an id; in CSV, it
can also be a unique value of its target, in a column such as customer.email. A member without "@id" gets an id that is
derived from the name of the file, the number of its line (in JSON-LD, its place in the graph) and its text. So you can
import the same file again after an interruption: members that exist already are not added twice. Read-only values are
kept. Members belong to nobody, unless --owner names a user. The hooks of the module that --with names run for each
member, and again for a member that has to wait for others that it links to; --no-hooks leaves them out.

The data may be a database of another program, sqlite:<path> or postgres://…, which is only read: rows of its tables
become members, as "hydrant init --from" proposes them. A password is better in PGPASSWORD than in the address.`,
    examples: [
      'hydrant import api.yaml books.ndjson',
      'hydrant import api.yaml books.csv',
      'hydrant import api.yaml orders.csv --dates dd.mm.yyyy --decimal-comma --encoding latin1',
      'gunzip -c books.ndjson.gz | hydrant import api.yaml -',
      'hydrant import api.yaml sqlite:old.db',
      'PGPASSWORD=… hydrant import api.yaml postgres://reader@db.example.org/shop',
    ],
    load: async () => (await import('./transfer/transfer.ts')).importData,
  },
  {
    usage: 'export <api-file> [data]',
    description: 'write all members in the database as NDJSON or JSON-LD, or those of a class as CSV',
    settings: [access, module, exportedClass, withHistory, spreadsheet, baseUrl, format, db, json],
    about: `
Without a file, or with "-", the members go to standard output. A file appears when it is complete. Addresses begin with
the base URL. Values that the API file does not show, such as those of a removed property, are not exported, nor are the
owners of members. CSV has no lists of embedded values.`,
    examples: [
      'hydrant export api.yaml library.ndjson',
      'hydrant export api.yaml --class Book books.csv',
      'hydrant export api.yaml | gzip > library.ndjson.gz',
    ],
    load: async () => (await import('./transfer/transfer.ts')).exportData,
  },
  {
    usage: 'purge <api-file>',
    description: 'list the stored values that the API file no longer shows, or remove data for good',
    settings: [
      ...[access, module, hidden, purgedHistory, before, purgedMember, yes, compact],
      ...[baseUrl, db, json],
    ],
    about: `
A property or a class that is taken out of an API file is hidden, not lost: put it back, and its values are served
again. What this command removes is gone for good, including the members of a hidden class; backups still have it. A
server may go on using the database. A member is not removed while others link to it, now or in their history. After
--compact nothing of what was removed is left in the tables and files of the database.`,
    examples: [
      'hydrant purge api.yaml',
      'hydrant purge api.yaml --hidden Book.subtitle',
      'hydrant purge api.yaml --hidden --yes --compact',
      'hydrant purge api.yaml --history Book --before 2026-01-31',
      'hydrant purge api.yaml --member books/1 --compact',
    ],
    load: async () => (await import('./purge/purge.ts')).purge,
  },
  {
    usage: 'user',
    description: 'who may sign in, with which roles: add, list, paraphrase, name, roles, remove',
    examples: ['hydrant user add 1', 'hydrant user list'],
    commands: USER,
  },
  {
    usage: 'token',
    description: 'sign in and print a token; or manage valid tokens: list, revoke',
    settings: [signInAs, paraphraseFile, baseUrl, json],
    about: `
With --user, signs in to the API at the base URL and prints the token, which is valid for up to 45 minutes. The passphrase
of the user is asked for, or read as one line from a file or from standard input.`,
    examples: [
      'hydrant token --user 1',
      'TOKEN=$(hydrant token --user 1 --paraphrase-file me.txt --base-url https://example.org/api)',
      'hydrant token list',
      'hydrant token revoke --user 1',
    ],
    commands: TOKEN,
    load: async () => (await import('./token.ts')).printToken,
  },
  {
    usage: 'curl <arguments...>',
    description: 'run curl with a token, which is renewed as needed',
    settings: [signInAs, paraphraseFile, baseUrl],
    passesOn: true,
    about: `
These flags come first; all that follows is for curl, and the exit status is that of curl. A path such as /books is below
the base URL, and every other address must be. The first call asks for the passphrase of the user, or reads it from a
file, and keeps the token in a file that only you can read, until it expires. The token is never an argument. It is sent
to the API only: no redirects are followed, and curl reads no configuration file.`,
    examples: [
      'hydrant curl --user 1 /books',
      'export HYDRANT_USER=1 HYDRANT_PARAPHRASE_FILE=me.txt HYDRANT_BASE_URL=https://example.org/api',
      "hydrant curl -s -X POST -H 'Content-Type: application/json' -d @book.json /books",
      'hydrant curl -s "/books?itemsPerPage=5" | jq .member[].title',
    ],
    load: async () => (await import('./curl/curl.ts')).runCurl,
  },
  {
    usage: 'follower',
    description: 'code that is called for every change: list, skip, resume, rewind',
    examples: ['hydrant follower list', 'hydrant follower skip mail'],
    commands: FOLLOWER,
  },
  {
    usage: 'copy',
    description: 'copy a SQLite database, users included, to an empty PostgreSQL database',
    settings: [from, to, json],
    about: `
Copies users, tokens, the nonce secret and all members, in one transaction, and compares both databases at the end. The
original stays as it is. Stop its server first: changes that it accepts after the copy has begun are not in the copy.
(Meanwhile a running server can read, and its writes wait or get 503.)`,
    examples: [
      'hydrant copy --from sqlite:hydrant.db --to postgres://hydrant@db.example.org/hydrant',
      'HYDRANT_TO="$HYDRANT_DB" hydrant copy --from sqlite:hydrant.db',
    ],
    load: async () => (await import('./transfer/copy.ts')).copyDatabase,
  },
  {
    usage: 'backup <file>',
    description: 'copy the SQLite database, users included, even while it is being served',
    settings: [db, json],
    examples: ['hydrant backup monday.db', 'hydrant serve api.yaml --db sqlite:monday.db'],
    load: async () => (await import('./transfer/copy.ts')).backUpDatabase,
  },
  {
    usage: 'restore <backup>',
    description: 'put a backup in the place of the SQLite database; stop its server first',
    settings: [force, db, json],
    examples: ['hydrant restore monday.db', 'hydrant restore monday.db --db sqlite:hydrant.db --force'],
    load: async () => (await import('./transfer/copy.ts')).restoreDatabase,
  },
]
