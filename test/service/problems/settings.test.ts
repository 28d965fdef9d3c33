import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { settingSentences } from '../../../src/service/problems/settings.ts'
import { testSentences } from '../../support/sentences.ts'

// Each follows the setting and a colon, if it has a place.
describe('sentences about settings', () => {
  testSentences(
    settingSentences((flag) => `--${flag}`),
    [
      ['MissingValue', { source: '--port' }, '--port needs a value.'],
      [
        'InvalidNumber',
        { text: '70000', what: 'port', least: 0, most: 65_535 },
        '"70000" is not a port; give a whole number from 0 to 65535.',
      ],
      [
        'InvalidChoice',
        { text: 'xml', what: 'format', choices: ['auto', 'json', 'pretty'] },
        '"xml" is not a format; give auto, json or pretty.',
      ],
      [
        'InvalidChoice',
        { text: 'latin-1', what: 'encoding', choices: ['utf-8', 'latin1'] },
        '"latin-1" is not an encoding; give utf-8 or latin1.',
      ],
      [
        'InvalidUrl',
        { text: 'localhost' },
        '"localhost" is not a URL; give one such as http://localhost:8080/api.',
      ],
      ['InvalidUrl', { text: undefined }, 'this is not a URL; give one such as http://localhost:8080/api.'],
      [
        'UnusableUrl',
        {},
        'a base URL cannot have a user, a query or a fragment; give one such as https://example.org/api.',
      ],
      [
        'PortZeroInUrl',
        {},
        'port 0 is not an address that clients can use; leave --base-url out for any free port.',
      ],
      [
        'InvalidHost',
        { text: 'a b' },
        '"a b" is not an address; give one such as 127.0.0.1, 0.0.0.0 or ::1.',
      ],
      [
        'InvalidAddress',
        { text: 'x', example: '127.0.0.1:9100' },
        '"x" is neither a port nor an address with one; give one such as 127.0.0.1:9100, or off.',
      ],
      ['InvalidSwitch', { text: 'maybe' }, '"maybe" is neither on nor off; give one of the two.'],
      [
        'InvalidSize',
        { text: '5GB', most: '64MiB' },
        '"5GB" is not a size of at most 64MiB; give one such as 4MiB, 512KiB or 1000000.',
      ],
      [
        'InvalidDuration',
        { text: '5' },
        '"5" is not a duration of at most 24h; give one such as 90s, 5m or 1h.',
      ],
      [
        'InvalidLongDuration',
        { text: '2y' },
        '"2y" is not a duration of at most 365d; give one such as 30d, 12h or 90m.',
      ],
      ['TokenTtlTooLong', { text: '1h' }, '"1h" is too long; a token can live at most 45m.'],
      ['InvalidLimit', { text: '20' }, '"20" is not a limit; give a number and a duration such as 20/5m.'],
      [
        'InvalidHistory',
        { text: '24h' },
        '"24h" is not a history; give a duration and a number of changes such as 24h/1000000.',
      ],
      [
        'InvalidDates',
        { text: 'yy.mm' },
        '"yy.mm" is not the form of a date; write dd.mm.yyyy, mm/dd/yyyy or another order of dd, mm and yyyy.',
      ],
      [
        'InvalidTime',
        { text: '31.1.2026' },
        '"31.1.2026" is not a date; give one such as 2026-01-31, or 2026-01-31T12:00:00Z with a time.',
      ],
      ['InvalidRange', { text: 'x' }, '"x" is not an address or a range; give some such as 10.0.0.0/8,::1.'],
      [
        'InvalidHostName',
        { text: 'https://x' },
        '"https://x" is not the name of a host; give some such as billing.internal,10.0.0.7.',
      ],
      [
        'InvalidUserId',
        {},
        'that is not a user id; give a whole number from 1 to 9007199254740991, such as 1 ("hydrant user list" shows the id and the name of each user).',
      ],
      ['NameEmpty', {}, 'A name must have at least one character; this one is empty.'],
      ['NameTooLong', { maxLength: 200 }, 'A name must have at most 200 characters; this one has more.'],
      [
        'NameCharacters',
        {},
        'A name must have no colon and no control characters (no line breaks, no tabs).',
      ],
      [
        'NameOnlyDigits',
        {},
        'A name must have at least one character that is not a digit, since digits alone are an id.',
      ],
      [
        'InvalidRoleName',
        {},
        'that is not a role; give a name of 1 to 64 lower-case letters, digits and "-" that begins with a letter, such as editor.',
      ],
      [
        'InvalidTokenNumber',
        {},
        'that is not the number of a token; "hydrant token list" shows which there are.',
      ],
      [
        'WrongSecretCount',
        { lines: 3 },
        'there are 3 lines; give one secret on a line, or two while rotating, the new one first.',
      ],
      [
        'SecretTooShort',
        { minLength: 32 },
        'a secret has at least 32 characters; make one with "openssl rand -hex 32".',
      ],
      [
        'InvalidCertificate',
        { path: 'cert.pem' },
        'cert.pem is not a certificate in PEM form, which begins with "-----BEGIN CERTIFICATE-----".',
      ],
      [
        'InvalidKey',
        { path: 'key.pem' },
        'key.pem is not a private key in PEM form without a password of its own.',
      ],
      ['NoSuchFile', { path: 'cert.pem' }, 'there is no file cert.pem; correct the path.'],
      ['FileIsFolder', { path: 'certs' }, 'certs is a folder; name a file.'],
      [
        'UnreadableFile',
        { path: 'key.pem', systemCode: 'EACCES' },
        'key.pem cannot be read (EACCES); name a file that this user may read.',
      ],
      ['CertificateWithoutKey', {}, '--tls-cert and --tls-key go together; give both.'],
      [
        'KeyOfOtherCertificate',
        {},
        '--tls-key is not the key of --tls-cert; give the two that were made together.',
      ],
      [
        'BodyMemoryTooSmall',
        { minMebibytes: 48 },
        'a batch of --max-batch-bytes would not fit; give at least 48MiB, or make batches smaller.',
      ],
      ['PortOfApi', { port: 8080 }, '8080 is the port of the API; give another one.'],
      [
        'ConsolePortTaken',
        { port: 8080, user: 'api' },
        '8080 is the port of the API; give another one, or off.',
      ],
      [
        'ConsolePortTaken',
        { port: 9100, user: 'ops' },
        '9100 is the port of --ops-port; give another one, or off.',
      ],
      [
        'WatchWithoutFile',
        {},
        'works only with a database file, --db sqlite:<path>; otherwise restart the server with the changed file.',
      ],
      [
        'WorkersOnSqlite',
        { workers: 4 },
        '4 processes need PostgreSQL; give --db postgres://…, or 1 for SQLite.',
      ],
      [
        'PageSizeTooLarge',
        { standard: 200, maximum: 100 },
        '200 is more than --max-page-size (100); give at most 100, or raise --max-page-size.',
      ],
      [
        'QuotedAddress',
        {},
        'there are quotes or spaces around the address; leave them out (an --env-file of docker keeps them).',
      ],
      [
        'NoDatabaseKind',
        { text: 'hydrant.db' },
        '"hydrant.db" does not say what kind of database it is; give sqlite:hydrant.db, or postgres://user@host/database.',
      ],
      ['NoDatabasePath', {}, 'the path is missing; give sqlite:<path>, such as sqlite:hydrant.db.'],
      [
        'NoSlashes',
        { scheme: 'postgres' },
        'the two slashes after "postgres:" are missing; give postgres://user@host/database.',
      ],
      [
        'UnknownDatabaseKind',
        { scheme: 'mysql' },
        'a database of the kind "mysql" is not known; give sqlite:<path>, such as sqlite:hydrant.db, or postgres://user@host/database.',
      ],
      [
        'InvalidPostgresAddress',
        {},
        'this is not an address of PostgreSQL: a @, /, ? or # in a user or a password is written %40, %2F, %3F or %23; give postgres://user:password@host:5432/database.',
      ],
      [
        'InvalidPercent',
        {},
        'a % in a user, a password or a name is written %25; give postgres://user:password@host/database.',
      ],
      [
        'NoDatabaseHost',
        {},
        'the host is missing after the @; give postgres://user:password@localhost/database for this machine.',
      ],
      [
        'InvalidDatabaseHost',
        { host: 'a b' },
        '"a b" is not a host; give postgres://user@host:5432/database, or several hosts with commas between them.',
      ],
      ['NoDatabaseName', {}, 'the name of the database is missing; give postgres://user@host/database.'],
      ['DuplicateAddressParameter', { name: 'sslmode' }, 'sslmode is in the address twice; give it once.'],
      [
        'RootCertificateParameter',
        {},
        'sslrootcert is not supported; name that file in the variable NODE_EXTRA_CA_CERTS, and give ?sslmode=verify-full.',
      ],
      [
        'UnknownAddressParameter',
        { name: 'ssl_mode', known: ['sslmode', 'search_path'] },
        '"ssl_mode" is not a parameter of an address; did you mean "sslmode"?',
      ],
      [
        'UnknownAddressParameter',
        { name: 'x', known: ['sslmode', 'search_path'] },
        '"x" is not a parameter of an address; possible: sslmode, search_path.',
      ],
      [
        'InvalidSearchPath',
        {},
        'search_path is not one plain name; give one name of lower-case letters, digits and _, such as ?search_path=hydrant.',
      ],
      [
        'InvalidReplica',
        { host: 'a b' },
        '"a b" in replicas is not a host; give one such as ?replicas=standby:5432, or several with commas between them.',
      ],
      [
        'InvalidSslMode',
        { known: ['disable', 'require'], isVerifying: false },
        'sslmode is none of disable, require; give one of them, such as require.',
      ],
      [
        'InvalidSslMode',
        { known: ['disable', 'require', 'verify-full'], isVerifying: true },
        'sslmode is none of disable, require, verify-full; give one of them, such as verify-full.',
      ],
      [
        'ReadOnlySession',
        { known: ['any', 'read-write'] },
        'target_session_attrs is neither any nor read-write, and members could not be written; give one of the two.',
      ],
    ],
  )
})

test('settings have the names that the audience knows', () => {
  const { CertificateWithoutKey } = settingSentences((flag) => `option ${flag}`)
  assert.equal(CertificateWithoutKey, 'option tls-cert and option tls-key go together; give both.')
})
