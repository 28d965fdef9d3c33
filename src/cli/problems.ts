import { type CodesOf, Problem, problemsOf, type Sentence, type Sentences } from '../problem.ts'
import { amount, count, inSentence, show, suggestion } from '../text.ts'
import type { ExportProblems } from '../transfer/index.ts'
import type { ServedProblems } from '../types/problems.ts'

/** A command, as its help names it. */
interface CalledCommand {
  readonly command: string
  /** Whether others are below it. */
  readonly isGroup: boolean
}

const seeHelp = ({ command, isGroup }: CalledCommand): string =>
  `"${command} --help" shows ${isGroup ? 'what there is' : 'how to use it'}.`

interface MisspeltName {
  readonly name: string
  readonly known: readonly string[]
}

const CURL_REASONS = {
  redirect: 'curl would send the token along to wherever a redirect leads; leave it out.',
  elsewhere:
    'it could make curl send the token elsewhere; write the arguments of a single call on the command line.',
  credentials: 'give --user before the arguments of curl; the token is enough for those.',
}

/** The command was called wrongly: exit status 2. */
export const USAGE = {
  TooManyArguments: ({ takes, ...called }: CalledCommand & { takes: readonly string[] }) =>
    `too many arguments: "${called.command}" takes ` +
    `${takes.length === 0 ? 'none' : `${takes.join(' ')} and nothing else`}; ${seeHelp(called)}`,
  /** `on`, `off`: the two flags of a switch. */
  FlagWithoutValue: ({
    flag,
    on,
    off,
    ...called
  }: CalledCommand & { flag: string; on: string; off: string | undefined }) =>
    `'${flag}' takes no value${off === undefined ? '' : `; give ${on} for on, or ${off} for off`}; ${seeHelp(called)}`,
  /** `reason`: in the words of commander. */
  UnknownCall: ({ reason, ...called }: CalledCommand & { reason: string }) => `${reason}; ${seeHelp(called)}`,
  /** `data`: the only argument, as the shell takes it. */
  ApiFileFirst: ({ data, ...called }: CalledCommand & { data: string }) =>
    `the API file comes before the data: ${called.command} api.yaml ${data}; ${seeHelp(called)}`,
  NotAnApiFile: ({ file }: { file: string }) =>
    `"${file}" is not an API file; if it was the value of a flag: npm passes flags on after "--", as in npm start -- --port 9000.`,
  MemoryDatabase: 'a database in memory exists only in its own process; name a file, sqlite:<path>.',
  UnknownRoleOfApi: ({ name, known }: MisspeltName) =>
    `"${name}" is not a role of this API; ${suggestion(name, known)}`,
  UnknownAsker: ({ name, known }: MisspeltName) =>
    `"${name}" is neither a role of this API nor a user in the database; ${suggestion(name, known)}`,
  UndeclaredRole: ({ role, file, declared }: { role: string; file: string; declared: readonly string[] }) =>
    `"${role}" is not a role of ${file}; ` +
    (declared.length === 0
      ? 'declare it under "roles", or name the right file with --api.'
      : suggestion(role, declared, '.')),
  NameOrNone: 'give a name for the user, or --none to remove it, but not both.',
  RolesOrNone: 'give all roles that the user is to have, or --none for no role, but not both.',
  WhichTokens: 'Say which tokens with one of --user <id>, --token-id <n> and --all.',
  NoDirection: 'Say what to copy, and where: --from sqlite:<path> --to postgres://user@host/database.',
  WrongDirection:
    'copy only goes from an embedded database to PostgreSQL: ' +
    '--from sqlite:<path> --to postgres://user@host/database.',
  BackupOfPostgres: ({ database, schema }: { database: string; schema: string }) =>
    `backup copies the embedded database, sqlite:<path>; for ${database} use PostgreSQL's own program: ` +
    `pg_dump --schema=${schema} --format=custom --file=<file> --dbname=postgres://…`,
  RestoreOfPostgres: 'restore is for the embedded database, sqlite:<path>; PostgreSQL has pg_restore.',
  NothingToProposeFrom: ({ data }: { data: string }) =>
    `"${data}" must be a file that ends in .csv, in .json (the db.json of json-server, or OpenAPI) or in .yaml (OpenAPI), or a database: sqlite:<path> or postgres://….`,
  SpreadsheetFile: ({ data }: { data: string }) =>
    `"${data}" is a file of a spreadsheet program; save it there as CSV (UTF-8), and name that file.`,
  UnknownDataFormat: ({ data, endings }: { data: string; endings: readonly string[] }) =>
    `The format of "${data}" is unknown; name a file that ends in ${endings.join(', ')}, or give --format. The API file comes before the data.`,
  UnknownCsvClass: ({ name, known }: MisspeltName) => `"${name}" is not a class; ${suggestion(name, known)}`,
  WhichCsvClass: ({ known }: { known: readonly string[] }) =>
    `The name of the file is not that of a collection; name the class of its lines with --class: ${known.join(', ')}.`,
  FlagOfFiles: ({ flag }: { flag: string }) =>
    `--${flag} is for files; leave it out to import from a database, whose tables have their own classes.`,
  FlagOfCsv: ({ flag }: { flag: string }) =>
    `--${flag} is for CSV; leave it out, or give --format csv if the data is CSV.`,
  InvalidServerAddress: 'that is not an address; give one such as http://localhost:8080/api.',
  CredentialsInAddress:
    'an address must not contain credentials; leave them out, and give the id or the name of the user with --user.',
  UnknownCurlOption: ({ option }: { option: string }) =>
    `curl has no option ${option}; give the flags of hydrant first (--user, --paraphrase-file, --base-url), and those of curl by their full names after them.`,
  RefusedCurlOption: ({ option, reason }: { option: string; reason: keyof typeof CURL_REASONS }) =>
    `${option} cannot be used here: ${CURL_REASONS[reason]}`,
  OutsideApi: ({ base }: { base: string }) =>
    `an address is not below ${base}, and the token is sent nowhere else; give a path such as /books, or name the API with --base-url.`,
  ParaphraseFileNeeded:
    'standard input is not a terminal to ask for the passphrase on; name a file that has it with --paraphrase-file.',
  /** `reason`: in the words of hydrant-mcp. */
  BridgeRefused: ({ reason }: { reason: string }) => reason,
  NothingHidden: ({ name, known }: MisspeltName) =>
    `"${name}" is not hidden by this API file; ${known.length === 0 ? 'nothing is.' : suggestion(name, known)}`,
  OnePurge: 'Give one of --hidden, --history and --member.',
  BeforeOfHistory: '--before says which entries of a history are removed; give it with --history.',
  NoHistory: ({ name, known }: MisspeltName) =>
    `there is no history of "${name}"; ${known.length === 0 ? 'no class has one.' : suggestion(name, known)}`,
  NotAMemberAddress: ({ address, base }: { address: string; base: string }) =>
    `"${address}" is not the address of a member; give one such as books/1, or ${base}/books/1 (--base-url names another base).`,
  NotAnEvent: ({ event }: { event: string }) =>
    `${show(event)} is not the id of an event; give one of the feed, or of "hydrant follower list --json".`,
  YesNeeded: 'standard input is not a terminal to ask on; give --yes to remove without a question.',
  ParaphrasesDiffer: 'The two passphrases differ; type the same one twice. Nothing was changed.',
  ParaphraseNotUtf8: 'Standard input is not UTF-8; give the passphrase as UTF-8. Nothing was changed.',
  UnusableParaphrase: ({ reason }: { reason: string }) => `${reason} Nothing was changed.`,
}

/** A database of PostgreSQL may be there, with tables that are not Hydrant's. */
export type MissingDatabase =
  | { readonly path: string }
  | { readonly schema: string; readonly database: string }

const nothingAt = (missing: MissingDatabase): string =>
  'path' in missing
    ? `There is no database at ${missing.path}`
    : `There are no tables of Hydrant in the schema "${missing.schema}" of ${missing.database}`

/** `command`: to be copied into a terminal. */
interface Remedy {
  readonly command: string
}

interface OfServer {
  readonly address: string
}

/** The command was right, and cannot be carried out: exit status 1. */
export const FAILURES = {
  NoDatabaseToCompare: ({ missing }: { missing: MissingDatabase }) =>
    `${nothingAt(missing)}; leave --db out, or name another database.`,
  NoDatabaseToExport: ({ missing }: { missing: MissingDatabase }) =>
    `${nothingAt(missing)}; name the right database with --db.`,
  /** `copy`: how to begin a copy of an embedded database. */
  NoDatabase: ({ missing, command, copy }: Remedy & { missing: MissingDatabase; copy: string }) =>
    'path' in missing
      ? `${nothingAt(missing)}; name the right one with --db, or create it with: ${command}`
      : `${nothingAt(missing)} yet; create them with: ${command}, or copy an embedded database there first: ${copy}`,
  NotMigrated: ({
    classNames,
    verb,
    command,
  }: Remedy & { classNames: readonly string[]; verb: 'import' | 'export' | 'purge' }) =>
    `The members of ${classNames.join(', ')} are stored under another API file; ${verb} with that one, or migrate them first: ${command}`,
  HiddenLinksThere: ({ className, links }: { className: string; links: readonly string[] }) =>
    `The members of ${className} are not removed: ${links.join(', ')} would be left with links to nothing; remove these first.`,
  NoTraces: ({ address }: { address: string }) => `The database has nothing of ${address}.`,
  MemberLinked: ({ address, from }: { address: string; from: readonly string[] }) =>
    `${address} is not removed: other members link to it, such as ${inSentence(from)}; remove these links first.`,
  MemberRemembered: ({ address, names }: { address: string; names: readonly string[] }) =>
    `${address} is not removed: other members have linked to it, and their history still does; remove that first, with ${inSentence(names.map((name) => `--history ${name}`))}.`,
  NotCompacted: ({ command }: Remedy) =>
    `What was removed may still be found in the files of the database, since transactions that began before are still open; when they have ended, finish with: ${command}`,
  MemberAddedAgain: ({ address }: { address: string }) =>
    `${address} was added again while it was removed; stop what adds it, and try again.`,
  IncompatibleDatabase: ({ file }: { file: string }) =>
    `${file} cannot be served with this database: it has incompatible members.`,
  /** `path`: the API file, or the file beside it that has the problems, or is not there. */
  UnservableApiFile: ({
    file,
    path,
    problems,
  }: {
    file: string
    path: string
    problems: number | 'missing'
  }) =>
    `${file} cannot be served: ${path === file ? 'it' : path} ` +
    (problems === 'missing' ? 'does not exist.' : `has ${count(problems, 'problem')}.`),
  NoUser: ({ id, command }: Remedy & { id: number }) =>
    `There is no user ${id}; list the users with: ${command}`,
  UserExists: ({ id, command }: Remedy & { id: number }) =>
    `User ${id} exists already; give it a new passphrase with: ${command}`,
  NameTaken: ({ name, command }: Remedy & { name: string }) =>
    `Another user is called ${show(name)}, or has a name that differs only in case or accents; list the users with: ${command}`,
  NoLiveToken: ({ tokenId, command }: Remedy & { tokenId: number }) =>
    `There is no live token ${tokenId}; list the tokens with: ${command}`,
  NoFollower: ({ name, known, command }: MisspeltName & Remedy) =>
    `There is no follower ${show(name)}; ${known.length === 0 ? `list them with: ${command}` : suggestion(name, known)}`,
  NothingFails: ({ name }: { name: string }) => `${name} has no change that fails; there is nothing to skip.`,
  NotPaused: ({ name }: { name: string }) => `${name} is not paused; there is nothing to resume.`,
  EventGone: ({ event }: { event: string }) =>
    `The log no longer has the event ${event}, or it is of another database; choose a later one.`,
  NotYetThere: ({ name, event }: { name: string; event: string }) =>
    `${name} has not reached the event ${event} yet, so it cannot go back to it.`,
  Cancelled: 'Cancelled; nothing was changed.',
  OutputClosed: 'Standard output was closed before everything was written.',
  NothingProposed: ({ reason }: { reason: string }) => reason,
  /** What is wrong with one line of the data, in the words of the import. */
  InvalidData: ({ reason }: { reason: string }) => reason,
  ColumnsChanged:
    'A member got more values during the export than the header has columns for; export again, best while nothing is written.',
  ImportInterrupted: ({ reason, added }: { reason: string; added: number }) =>
    `${reason} Members added before that: ${amount(added)}; import the file again to add the rest.`,
  /** `base`: where links were refused since they begin with another one. */
  MembersRefused: ({
    refused,
    kind,
    base,
    asStored,
  }: {
    refused: number
    kind: 'file' | 'database'
    base: string | undefined
    asStored: boolean
  }) =>
    `${count(refused, 'member')} refused, for the reasons above. ` +
    (kind === 'file'
      ? 'Correct these lines where they are, and import the file again'
      : 'Correct these rows, or the API file, and import again') +
    ': members that exist already are not added twice.' +
    (base === undefined ? '' : ` Addresses begin with ${base}; --base-url names another base.`) +
    (asStored
      ? ''
      : ' With --as-stored, members of an export that only break a constraint are taken as they are.'),
  ServerUnreachable: ({ address, systemCode }: OfServer & { systemCode: string | undefined }) =>
    `${address} does not answer${systemCode === undefined ? '' : ` (${systemCode})`}; start the server, or correct the address.`,
  CredentialsNeeded: ({ address }: OfServer) =>
    `${address} needs credentials; give the id or the name of a user with --user.`,
  WrongCredentials: ({ address }: OfServer) => `${address}: the user or the passphrase is wrong.`,
  /** `reason`: in the words of the client. */
  NotHydra: ({ address, reason }: OfServer & { reason: string }) =>
    `${address} is not a Hydra API: ${reason}`,
  RefusedByServer: ({ address, reason }: OfServer & { reason: string }) => `${address}: ${reason}`,
  UnexpectedReply: ({ reason }: { reason: string }) => reason,
  NotTheEntryPoint: ({ address, entryPoint }: OfServer & { entryPoint: string | undefined }) =>
    `${address} is not the entry point of an API${entryPoint === undefined ? '' : `; its documentation names ${entryPoint}`}.`,
  NoDocumentationThere: ({ address, url }: OfServer & { url: string }) =>
    `${address} is not a Hydra API: there is no documentation at ${url}.`,
  NotDocumentation: ({ address, url }: OfServer & { url: string }) =>
    `${address} is not a Hydra API: ${url} is not an ApiDocumentation.`,
  NoDocumentedClass: ({ address, url }: OfServer & { url: string }) =>
    `${address}: the documentation at ${url} describes no class.`,
  NoTokens: ({ address }: OfServer) =>
    `${address} issues no tokens: send a nonce and the credentials with every request.`,
  TokenNotNeeded: ({ address }: OfServer) =>
    `${address} wants no credentials, and so issues no token; send requests without one.`,
  CurlNotInstalled: 'curl is not installed, or not in a folder that PATH names; install it.',
  BridgeNotInstalled:
    'hydrant mcp needs the package hydrant-mcp, which is installed separately; install it beside hydrant: ' +
    'npm install hydrant-mcp (with --global if hydrant is installed globally).',
  NotConforming: ({ address, wrong }: OfServer & { wrong: number }) =>
    `${address} does not conform to Hydra: ${count(wrong, 'thing')} ${wrong === 1 ? 'is' : 'are'} wrong.`,
  OtherBase: ({ address, iri }: OfServer & { iri: string }) =>
    `${address}: the address of this API is ${iri}; give that one.`,
} satisfies Sentences<ServedProblems & ExportProblems> & Readonly<Record<string, Sentence<never>>>

const COMMANDS = { ...USAGE, ...FAILURES }

export const commandProblem = problemsOf<CodesOf<typeof COMMANDS>>()

/** How a command that has failed ends: what is printed, and whether it was called wrongly. */
export interface CommandFailure {
  readonly text: string
  readonly isUsage: boolean
}

/** The one place where an error of a command becomes text. Loaded here, since most commands do not fail. */
export async function describeFailure(error: unknown): Promise<CommandFailure> {
  const { isPlaced, isSettingProblem, linesOf } = await import('../service/problems/index.ts')
  const text = linesOf(error, COMMANDS).join('\n')
  const isUsage = isSettingProblem(error) || (error instanceof Problem && Object.hasOwn(USAGE, error.code))
  return { text: isPlaced(error) ? text : `hydrant: ${text}`, isUsage }
}
