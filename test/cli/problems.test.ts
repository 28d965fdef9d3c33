import { describe } from 'node:test'
import { FAILURES, USAGE } from '../../src/cli/problems.ts'
import { testSentences } from '../support/sentences.ts'

const SERVE = { command: 'hydrant serve', isGroup: false }
const POSTGRES = { schema: 'public', database: 'postgres://h/db' }
const SERVER = { address: 'http://localhost:8080' }

describe('sentences about commands that were called wrongly', () => {
  testSentences(USAGE, [
    [
      'TooManyArguments',
      { ...SERVE, takes: ['[api-file]'] },
      'too many arguments: "hydrant serve" takes [api-file] and nothing else; "hydrant serve --help" shows how to use it.',
    ],
    [
      'TooManyArguments',
      { command: 'hydrant user', isGroup: true, takes: [] },
      'too many arguments: "hydrant user" takes none; "hydrant user --help" shows what there is.',
    ],
    [
      'FlagWithoutValue',
      { ...SERVE, flag: '--no-auth', on: '--auth', off: '--no-auth' },
      '\'--no-auth\' takes no value; give --auth for on, or --no-auth for off; "hydrant serve --help" shows how to use it.',
    ],
    [
      'FlagWithoutValue',
      { ...SERVE, flag: '--json', on: '--json', off: undefined },
      '\'--json\' takes no value; "hydrant serve --help" shows how to use it.',
    ],
    [
      'UnknownCall',
      { ...SERVE, reason: "unknown option '--prot'" },
      'unknown option \'--prot\'; "hydrant serve --help" shows how to use it.',
    ],
    [
      'ApiFileFirst',
      { command: 'hydrant import', isGroup: false, data: 'machines.csv' },
      'the API file comes before the data: hydrant import api.yaml machines.csv; "hydrant import --help" shows how to use it.',
    ],
    [
      'NotAnApiFile',
      { file: '9000' },
      '"9000" is not an API file; if it was the value of a flag: npm passes flags on after "--", as in npm start -- --port 9000.',
    ],
    [
      'MemoryDatabase',
      {},
      'a database in memory exists only in its own process; name a file, sqlite:<path>.',
    ],
    [
      'UnknownRoleOfApi',
      { name: 'editr', known: ['editor'] },
      '"editr" is not a role of this API; did you mean "editor"?',
    ],
    [
      'UnknownAsker',
      { name: 'ana@studio.example', known: ['editor', 'anyone'] },
      '"ana@studio.example" is neither a role of this API nor a user in the database; possible: editor, anyone',
    ],
    [
      'UndeclaredRole',
      { role: 'editor', file: 'api.yaml', declared: [] },
      '"editor" is not a role of api.yaml; declare it under "roles", or name the right file with --api.',
    ],
    [
      'UndeclaredRole',
      { role: 'x', file: 'api.yaml', declared: ['editor', 'author'] },
      '"x" is not a role of api.yaml; possible: editor, author.',
    ],
    ['NameOrNone', {}, 'give a name for the user, or --none to remove it, but not both.'],
    ['RolesOrNone', {}, 'give all roles that the user is to have, or --none for no role, but not both.'],
    ['WhichTokens', {}, 'Say which tokens with one of --user <id>, --token-id <n> and --all.'],
    [
      'NoDirection',
      {},
      'Say what to copy, and where: --from sqlite:<path> --to postgres://user@host/database.',
    ],
    [
      'WrongDirection',
      {},
      'copy only goes from an embedded database to PostgreSQL: --from sqlite:<path> --to postgres://user@host/database.',
    ],
    [
      'BackupOfPostgres',
      POSTGRES,
      "backup copies the embedded database, sqlite:<path>; for postgres://h/db use PostgreSQL's own program: pg_dump --schema=public --format=custom --file=<file> --dbname=postgres://…",
    ],
    [
      'RestoreOfPostgres',
      {},
      'restore is for the embedded database, sqlite:<path>; PostgreSQL has pg_restore.',
    ],
    [
      'NothingToProposeFrom',
      { data: 'books.txt' },
      '"books.txt" must be a file that ends in .csv, in .json (the db.json of json-server, or OpenAPI) or in .yaml (OpenAPI), or a database: sqlite:<path> or postgres://….',
    ],
    [
      'SpreadsheetFile',
      { data: 'books.xlsx' },
      '"books.xlsx" is a file of a spreadsheet program; save it there as CSV (UTF-8), and name that file.',
    ],
    [
      'UnknownDataFormat',
      { data: 'books.txt', endings: ['.ndjson', '.jsonld', '.csv'] },
      'The format of "books.txt" is unknown; name a file that ends in .ndjson, .jsonld, .csv, or give --format. The API file comes before the data.',
    ],
    ['UnknownCsvClass', { name: 'Boook', known: ['Book'] }, '"Boook" is not a class; did you mean "Book"?'],
    [
      'WhichCsvClass',
      { known: ['Book', 'Author'] },
      'The name of the file is not that of a collection; name the class of its lines with --class: Book, Author.',
    ],
    [
      'FlagOfFiles',
      { flag: 'class' },
      '--class is for files; leave it out to import from a database, whose tables have their own classes.',
    ],
    [
      'FlagOfCsv',
      { flag: 'class' },
      '--class is for CSV; leave it out, or give --format csv if the data is CSV.',
    ],
    ['InvalidServerAddress', {}, 'that is not an address; give one such as http://localhost:8080/api.'],
    [
      'CredentialsInAddress',
      {},
      'an address must not contain credentials; leave them out, and give the id or the name of the user with --user.',
    ],
    [
      'UnknownCurlOption',
      { option: '--paraphrase-file' },
      'curl has no option --paraphrase-file; give the flags of hydrant first (--user, --paraphrase-file, --base-url), and those of curl by their full names after them.',
    ],
    [
      'RefusedCurlOption',
      { option: '-L', reason: 'redirect' },
      '-L cannot be used here: curl would send the token along to wherever a redirect leads; leave it out.',
    ],
    [
      'RefusedCurlOption',
      { option: '--next', reason: 'elsewhere' },
      '--next cannot be used here: it could make curl send the token elsewhere; write the arguments of a single call on the command line.',
    ],
    [
      'RefusedCurlOption',
      { option: '-u', reason: 'credentials' },
      '-u cannot be used here: give --user before the arguments of curl; the token is enough for those.',
    ],
    [
      'OutsideApi',
      { base: 'http://localhost:8080/api' },
      'an address is not below http://localhost:8080/api, and the token is sent nowhere else; give a path such as /books, or name the API with --base-url.',
    ],
    [
      'ParaphraseFileNeeded',
      {},
      'standard input is not a terminal to ask for the passphrase on; name a file that has it with --paraphrase-file.',
    ],
    ['BridgeRefused', { reason: 'There is no user.' }, 'There is no user.'],
    [
      'NothingHidden',
      { name: 'Book.subtitel', known: ['Book.subtitle'] },
      '"Book.subtitel" is not hidden by this API file; did you mean "Book.subtitle"?',
    ],
    ['NothingHidden', { name: 'Book', known: [] }, '"Book" is not hidden by this API file; nothing is.'],
    ['OnePurge', {}, 'Give one of --hidden, --history and --member.'],
    ['BeforeOfHistory', {}, '--before says which entries of a history are removed; give it with --history.'],
    ['NoHistory', { name: 'Boook', known: ['Book'] }, 'there is no history of "Boook"; did you mean "Book"?'],
    ['NoHistory', { name: 'Book', known: [] }, 'there is no history of "Book"; no class has one.'],
    [
      'NotAMemberAddress',
      { address: 'books', base: 'http://localhost:8080/api' },
      '"books" is not the address of a member; give one such as books/1, or http://localhost:8080/api/books/1 (--base-url names another base).',
    ],
    [
      'NotAnEvent',
      { event: 'x' },
      '"x" is not the id of an event; give one of the feed, or of "hydrant follower list --json".',
    ],
    ['YesNeeded', {}, 'standard input is not a terminal to ask on; give --yes to remove without a question.'],
    ['ParaphrasesDiffer', {}, 'The two passphrases differ; type the same one twice. Nothing was changed.'],
    [
      'ParaphraseNotUtf8',
      {},
      'Standard input is not UTF-8; give the passphrase as UTF-8. Nothing was changed.',
    ],
    [
      'UnusableParaphrase',
      { reason: 'A passphrase has at least 12 characters.' },
      'A passphrase has at least 12 characters. Nothing was changed.',
    ],
  ])
})

describe('sentences about commands that cannot be carried out', () => {
  testSentences(FAILURES, [
    [
      'NoDatabaseToCompare',
      { missing: { path: 'a.db' } },
      'There is no database at a.db; leave --db out, or name another database.',
    ],
    [
      'NoDatabaseToExport',
      { missing: POSTGRES },
      'There are no tables of Hydrant in the schema "public" of postgres://h/db; name the right database with --db.',
    ],
    [
      'NoDatabase',
      { missing: { path: 'a.db' }, command: 'hydrant serve', copy: '' },
      'There is no database at a.db; name the right one with --db, or create it with: hydrant serve',
    ],
    [
      'NoDatabase',
      {
        missing: POSTGRES,
        command: 'hydrant serve --db …',
        copy: 'hydrant copy --from sqlite:<path> --to …',
      },
      'There are no tables of Hydrant in the schema "public" of postgres://h/db yet; create them with: hydrant serve --db …, or copy an embedded database there first: hydrant copy --from sqlite:<path> --to …',
    ],
    [
      'NotMigrated',
      { classNames: ['Book', 'Author'], verb: 'import', command: 'hydrant serve' },
      'The members of Book, Author are stored under another API file; import with that one, or migrate them first: hydrant serve',
    ],
    [
      'HiddenLinksThere',
      { className: 'Author', links: ['Book.author'] },
      'The members of Author are not removed: Book.author would be left with links to nothing; remove these first.',
    ],
    ['NoTraces', { address: 'books/1' }, 'The database has nothing of books/1.'],
    [
      'NotCompacted',
      { command: 'hydrant purge api.yaml --compact' },
      'What was removed may still be found in the files of the database, since transactions that began before are still open; when they have ended, finish with: hydrant purge api.yaml --compact',
    ],
    [
      'MemberLinked',
      { address: 'books/1', from: ['notes/1', 'notes/2'] },
      'books/1 is not removed: other members link to it, such as notes/1 and notes/2; remove these links first.',
    ],
    [
      'MemberRemembered',
      { address: 'books/1', names: ['Note/1', 'Note/2'] },
      'books/1 is not removed: other members have linked to it, and their history still does; remove that first, with --history Note/1 and --history Note/2.',
    ],
    [
      'MemberAddedAgain',
      { address: 'books/1' },
      'books/1 was added again while it was removed; stop what adds it, and try again.',
    ],
    [
      'IncompatibleDatabase',
      { file: 'api.yaml' },
      'api.yaml cannot be served with this database: it has incompatible members.',
    ],
    [
      'UnservableApiFile',
      { file: 'api.yaml', path: 'api.yaml', problems: 'missing' },
      'api.yaml cannot be served: it does not exist.',
    ],
    [
      'UnservableApiFile',
      { file: 'api.yaml', path: 'api.yaml', problems: 1 },
      'api.yaml cannot be served: it has 1 problem.',
    ],
    [
      'UnservableApiFile',
      { file: 'api.yaml', path: 'access.yaml', problems: 2 },
      'api.yaml cannot be served: access.yaml has 2 problems.',
    ],
    [
      'NoUser',
      { id: 7, command: 'hydrant user list' },
      'There is no user 7; list the users with: hydrant user list',
    ],
    [
      'UserExists',
      { id: 7, command: 'hydrant user passwd 7' },
      'User 7 exists already; give it a new passphrase with: hydrant user passwd 7',
    ],
    [
      'NameTaken',
      { name: 'anna@studio.example', command: 'hydrant user list' },
      'Another user is called "anna@studio.example", or has a name that differs only in case or accents; list the users with: hydrant user list',
    ],
    [
      'NoLiveToken',
      { tokenId: 3, command: 'hydrant token list' },
      'There is no live token 3; list the tokens with: hydrant token list',
    ],
    [
      'NoFollower',
      { name: 'mial', known: ['mail'], command: 'hydrant follower list' },
      'There is no follower "mial"; did you mean "mail"?',
    ],
    [
      'NoFollower',
      { name: 'mail', known: [], command: 'hydrant follower list' },
      'There is no follower "mail"; list them with: hydrant follower list',
    ],
    ['NothingFails', { name: 'mail' }, 'mail has no change that fails; there is nothing to skip.'],
    ['NotPaused', { name: 'mail' }, 'mail is not paused; there is nothing to resume.'],
    [
      'EventGone',
      { event: 'x' },
      'The log no longer has the event x, or it is of another database; choose a later one.',
    ],
    [
      'NotYetThere',
      { name: 'mail', event: 'x' },
      'mail has not reached the event x yet, so it cannot go back to it.',
    ],
    ['Cancelled', {}, 'Cancelled; nothing was changed.'],
    ['OutputClosed', {}, 'Standard output was closed before everything was written.'],
    ['NothingProposed', { reason: 'there is no header.' }, 'there is no header.'],
    ['InvalidData', { reason: 'This is not UTF-8.' }, 'This is not UTF-8.'],
    [
      'ColumnsChanged',
      {},
      'A member got more values during the export than the header has columns for; export again, best while nothing is written.',
    ],
    [
      'ImportInterrupted',
      { reason: 'The database is busy; try again shortly.', added: 1_200 },
      'The database is busy; try again shortly. Members added before that: 1,200; import the file again to add the rest.',
    ],
    [
      'MembersRefused',
      { refused: 1, kind: 'file', base: undefined, asStored: true },
      '1 member refused, for the reasons above. Correct these lines where they are, and import the file again: members that exist already are not added twice.',
    ],
    [
      'MembersRefused',
      { refused: 2, kind: 'file', base: 'http://localhost:8080', asStored: false },
      '2 members refused, for the reasons above. Correct these lines where they are, and import the file again: members that exist already are not added twice. Addresses begin with http://localhost:8080; --base-url names another base. With --as-stored, members of an export that only break a constraint are taken as they are.',
    ],
    [
      'MembersRefused',
      { refused: 1, kind: 'database', base: undefined, asStored: true },
      '1 member refused, for the reasons above. Correct these rows, or the API file, and import again: members that exist already are not added twice.',
    ],
    [
      'ServerUnreachable',
      { ...SERVER, systemCode: 'ECONNREFUSED' },
      'http://localhost:8080 does not answer (ECONNREFUSED); start the server, or correct the address.',
    ],
    [
      'ServerUnreachable',
      { ...SERVER, systemCode: undefined },
      'http://localhost:8080 does not answer; start the server, or correct the address.',
    ],
    [
      'CredentialsNeeded',
      SERVER,
      'http://localhost:8080 needs credentials; give the id or the name of a user with --user.',
    ],
    ['WrongCredentials', SERVER, 'http://localhost:8080: the user or the passphrase is wrong.'],
    [
      'NotHydra',
      { ...SERVER, reason: 'it has no Link header.' },
      'http://localhost:8080 is not a Hydra API: it has no Link header.',
    ],
    [
      'RefusedByServer',
      { ...SERVER, reason: 'Nobody may read this.' },
      'http://localhost:8080: Nobody may read this.',
    ],
    ['UnexpectedReply', { reason: 'The response is cut off.' }, 'The response is cut off.'],
    [
      'NotTheEntryPoint',
      { ...SERVER, entryPoint: undefined },
      'http://localhost:8080 is not the entry point of an API.',
    ],
    [
      'NotTheEntryPoint',
      { ...SERVER, entryPoint: 'http://localhost:8080/api' },
      'http://localhost:8080 is not the entry point of an API; its documentation names http://localhost:8080/api.',
    ],
    [
      'NoDocumentationThere',
      { ...SERVER, url: 'http://localhost:8080/vocab' },
      'http://localhost:8080 is not a Hydra API: there is no documentation at http://localhost:8080/vocab.',
    ],
    [
      'NotDocumentation',
      { ...SERVER, url: 'http://localhost:8080/vocab' },
      'http://localhost:8080 is not a Hydra API: http://localhost:8080/vocab is not an ApiDocumentation.',
    ],
    [
      'NoDocumentedClass',
      { ...SERVER, url: 'http://localhost:8080/vocab' },
      'http://localhost:8080: the documentation at http://localhost:8080/vocab describes no class.',
    ],
    [
      'NoTokens',
      SERVER,
      'http://localhost:8080 issues no tokens: send a nonce and the credentials with every request.',
    ],
    [
      'TokenNotNeeded',
      SERVER,
      'http://localhost:8080 wants no credentials, and so issues no token; send requests without one.',
    ],
    ['CurlNotInstalled', {}, 'curl is not installed, or not in a folder that PATH names; install it.'],
    [
      'BridgeNotInstalled',
      {},
      'hydrant mcp needs the package hydrant-mcp, which is installed separately; install it beside hydrant: npm install hydrant-mcp (with --global if hydrant is installed globally).',
    ],
    [
      'NotConforming',
      { ...SERVER, wrong: 1 },
      'http://localhost:8080 does not conform to Hydra: 1 thing is wrong.',
    ],
    [
      'NotConforming',
      { ...SERVER, wrong: 3 },
      'http://localhost:8080 does not conform to Hydra: 3 things are wrong.',
    ],
    [
      'OtherBase',
      { ...SERVER, iri: 'https://api.example.org' },
      'http://localhost:8080: the address of this API is https://api.example.org; give that one.',
    ],
  ])
})
