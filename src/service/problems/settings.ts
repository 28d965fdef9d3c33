import { CREDENTIAL_SENTENCES } from '../../auth/rules.ts'
import type { DatabaseAddressProblems, PortUser, SettingProblems } from '../../config/index.ts'
import type { Sentences } from '../../problem.ts'
import { suggestion } from '../../text.ts'

/** Turns the name of a flag into what its audience writes: `--page-size` at a terminal, `pageSize` in a program. */
export type SettingNames = (flag: string) => string

/** Sentences about settings; each follows its source, if it has one. */
export const settingSentences = (
  name: SettingNames,
): Sentences<SettingProblems & DatabaseAddressProblems> => ({
  MissingValue: ({ source }) => `${source} needs a value.`,
  InvalidNumber: ({ text, what, least, most }) =>
    `"${text}" is not a ${what}; give a whole number from ${least} to ${most}.`,
  InvalidChoice: ({ text, what, choices }) =>
    `"${text}" is not ${what === 'encoding' ? 'an' : 'a'} ${what}; give ${choices.slice(0, -1).join(', ')} or ${choices.at(-1)}.`,
  InvalidUrl: ({ text }) =>
    `${text === undefined ? 'this' : `"${text}"`} is not a URL; give one such as http://localhost:8080/api.`,
  UnusableUrl:
    'a base URL cannot have a user, a query or a fragment; give one such as https://example.org/api.',
  PortZeroInUrl: `port 0 is not an address that clients can use; leave ${name('base-url')} out for any free port.`,
  InvalidHost: ({ text }) => `"${text}" is not an address; give one such as 127.0.0.1, 0.0.0.0 or ::1.`,
  InvalidAddress: ({ text, example }) =>
    `"${text}" is neither a port nor an address with one; give one such as ${example}, or off.`,
  InvalidSwitch: ({ text }) => `"${text}" is neither on nor off; give one of the two.`,
  InvalidSize: ({ text, most }) =>
    `"${text}" is not a size of at most ${most}; give one such as 4MiB, 512KiB or 1000000.`,
  InvalidDuration: ({ text }) =>
    `"${text}" is not a duration of at most 24h; give one such as 90s, 5m or 1h.`,
  InvalidLongDuration: ({ text }) =>
    `"${text}" is not a duration of at most 365d; give one such as 30d, 12h or 90m.`,
  TokenTtlTooLong: ({ text }) => `"${text}" is too long; a token can live at most 45m.`,
  InvalidLimit: ({ text }) => `"${text}" is not a limit; give a number and a duration such as 20/5m.`,
  InvalidHistory: ({ text }) =>
    `"${text}" is not a history; give a duration and a number of changes such as 24h/1000000.`,
  InvalidDates: ({ text }) =>
    `"${text}" is not the form of a date; write dd.mm.yyyy, mm/dd/yyyy or another order of dd, mm and yyyy.`,
  InvalidTime: ({ text }) =>
    `"${text}" is not a date; give one such as 2026-01-31, or 2026-01-31T12:00:00Z with a time.`,
  InvalidRange: ({ text }) => `"${text}" is not an address or a range; give some such as 10.0.0.0/8,::1.`,
  InvalidHostName: ({ text }) =>
    `"${text}" is not the name of a host; give some such as billing.internal,10.0.0.7.`,
  InvalidUserId:
    'that is not a user id; give a whole number from 1 to 9007199254740991, such as 1 ("hydrant user list" shows the id and the name of each user).',
  ...NAMES,
  InvalidRoleName:
    'that is not a role; give a name of 1 to 64 lower-case letters, digits and "-" that begins with a letter, such as editor.',
  InvalidTokenNumber: 'that is not the number of a token; "hydrant token list" shows which there are.',
  WrongSecretCount: ({ lines }) =>
    `there are ${lines} lines; give one secret on a line, or two while rotating, the new one first.`,
  SecretTooShort: ({ minLength }) =>
    `a secret has at least ${minLength} characters; make one with "openssl rand -hex 32".`,
  InvalidCertificate: ({ path }) =>
    `${path} is not a certificate in PEM form, which begins with "-----BEGIN CERTIFICATE-----".`,
  InvalidKey: ({ path }) => `${path} is not a private key in PEM form without a password of its own.`,
  NoSuchFile: ({ path }) => `there is no file ${path}; correct the path.`,
  FileIsFolder: ({ path }) => `${path} is a folder; name a file.`,
  UnreadableFile: ({ path, systemCode }) =>
    `${path} cannot be read (${systemCode}); name a file that this user may read.`,
  CertificateWithoutKey: `${name('tls-cert')} and ${name('tls-key')} go together; give both.`,
  KeyOfOtherCertificate: `${name('tls-key')} is not the key of ${name('tls-cert')}; give the two that were made together.`,
  BodyMemoryTooSmall: ({ minMebibytes }) =>
    `a batch of ${name('max-batch-bytes')} would not fit; give at least ${minMebibytes}MiB, or make batches smaller.`,
  PortOfApi: ({ port }) => `${port} is the port of the API; give another one.`,
  ConsolePortTaken: ({ port, user }) =>
    `${port} is the port of ${portUser(user, name)}; give another one, or off.`,
  WatchWithoutFile: `works only with a database file, ${name('db')} sqlite:<path>; otherwise restart the server with the changed file.`,
  WorkersOnSqlite: ({ workers }) =>
    `${workers} processes need PostgreSQL; give ${name('db')} postgres://…, or 1 for SQLite.`,
  PageSizeTooLarge: ({ standard, maximum }) =>
    `${standard} is more than ${name('max-page-size')} (${maximum}); give at most ${maximum}, or raise ${name('max-page-size')}.`,
  ...ADDRESSES,
})

const { NameEmpty, NameTooLong, NameCharacters, NameOnlyDigits } = CREDENTIAL_SENTENCES
const NAMES = { NameEmpty, NameTooLong, NameCharacters, NameOnlyDigits }

/** What else uses a port. */
const portUser = (user: PortUser, name: SettingNames): string =>
  user === 'api' ? 'the API' : name('ops-port')

const ADDRESSES: Sentences<DatabaseAddressProblems> = {
  QuotedAddress:
    'there are quotes or spaces around the address; leave them out (an --env-file of docker keeps them).',
  NoDatabaseKind: ({ text }) =>
    `"${text}" does not say what kind of database it is; give sqlite:${text}, or postgres://user@host/database.`,
  NoDatabasePath: 'the path is missing; give sqlite:<path>, such as sqlite:hydrant.db.',
  NoSlashes: ({ scheme }) =>
    `the two slashes after "${scheme}:" are missing; give ${scheme}://user@host/database.`,
  UnknownDatabaseKind: ({ scheme }) =>
    `a database of the kind "${scheme}" is not known; give sqlite:<path>, such as sqlite:hydrant.db, or postgres://user@host/database.`,
  InvalidPostgresAddress:
    'this is not an address of PostgreSQL: a @, /, ? or # in a user or a password is written %40, %2F, %3F or %23; ' +
    'give postgres://user:password@host:5432/database.',
  InvalidPercent:
    'a % in a user, a password or a name is written %25; give postgres://user:password@host/database.',
  NoDatabaseHost:
    'the host is missing after the @; give postgres://user:password@localhost/database for this machine.',
  InvalidDatabaseHost: ({ host }) =>
    `"${host}" is not a host; give postgres://user@host:5432/database, or several hosts with commas between them.`,
  NoDatabaseName: 'the name of the database is missing; give postgres://user@host/database.',
  DuplicateAddressParameter: ({ name }) => `${name} is in the address twice; give it once.`,
  RootCertificateParameter:
    'sslrootcert is not supported; name that file in the variable NODE_EXTRA_CA_CERTS, and give ?sslmode=verify-full.',
  UnknownAddressParameter: ({ name, known }) =>
    `"${name}" is not a parameter of an address; ${suggestion(name, known, '.')}`,
  InvalidSearchPath:
    'search_path is not one plain name; give one name of lower-case letters, digits and _, such as ?search_path=hydrant.',
  InvalidSslMode: ({ known, isVerifying }) =>
    `sslmode is none of ${known.join(', ')}; give one of them, such as ${isVerifying ? 'verify-full' : 'require'}.`,
  InvalidReplica: ({ host }) =>
    `"${host}" in replicas is not a host; give one such as ?replicas=standby:5432, or several with commas between them.`,
  ReadOnlySession: ({ known }) =>
    `target_session_attrs is neither ${known.join(' nor ')}, and members could not be written; give one of the two.`,
}
