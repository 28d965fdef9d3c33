import type { CredentialProblems } from '../auth/rules.ts'
import { problemsOf } from '../problem.ts'

type WithText = { readonly text: string }
type WithPath = { readonly path: string }

/** A name of a user that cannot be one. */
export type NameProblems = Omit<CredentialProblems, `Paraphrase${string}`>

/** Settings that cannot be read, each at its flag or its variable. Values that may be secret are never repeated. */
export interface SettingProblems extends NameProblems {
  /** `source`: a flag or a variable. */
  MissingValue: { readonly source: string }
  InvalidNumber: WithText & {
    readonly what: 'port' | 'count' | 'number of connections' | 'number of processes'
    readonly least: number
    readonly most: number
  }
  InvalidChoice: WithText & {
    readonly what: 'level' | 'format' | 'encoding' | 'kind of change'
    readonly choices: readonly string[]
  }
  /** `text`: undefined if it may contain a password. */
  InvalidUrl: { readonly text: string | undefined }
  UnusableUrl: object
  PortZeroInUrl: object
  InvalidHost: WithText
  InvalidAddress: WithText & { readonly example: string }
  InvalidSwitch: WithText
  InvalidSize: WithText & { readonly most: string }
  InvalidDuration: WithText
  InvalidLongDuration: WithText
  TokenTtlTooLong: WithText
  InvalidLimit: WithText
  InvalidHistory: WithText
  InvalidTime: WithText
  InvalidDates: WithText
  InvalidRange: WithText
  InvalidHostName: WithText
  InvalidUserId: object
  InvalidRoleName: object
  InvalidTokenNumber: object
  WrongSecretCount: { readonly lines: number }
  SecretTooShort: { readonly minLength: number }
  InvalidCertificate: WithPath
  InvalidKey: WithPath
  NoSuchFile: WithPath
  FileIsFolder: WithPath
  /** `systemCode`: such as EACCES. */
  UnreadableFile: WithPath & { readonly systemCode: string | undefined }
  CertificateWithoutKey: object
  KeyOfOtherCertificate: object
  BodyMemoryTooSmall: { readonly minMebibytes: number }
  PortOfApi: { readonly port: number }
  ConsolePortTaken: { readonly port: number; readonly user: PortUser }
  WatchWithoutFile: object
  WorkersOnSqlite: { readonly workers: number }
  PageSizeTooLarge: { readonly standard: number; readonly maximum: number }
}

/** The other listeners on a port. */
export type PortUser = 'api' | 'ops'

/** Addresses of databases that cannot be read. They may contain passwords, so only harmless parts are repeated. */
export interface DatabaseAddressProblems {
  QuotedAddress: object
  NoDatabaseKind: WithText
  NoDatabasePath: object
  NoSlashes: { readonly scheme: string }
  UnknownDatabaseKind: { readonly scheme: string }
  InvalidPostgresAddress: object
  InvalidPercent: object
  NoDatabaseHost: object
  InvalidDatabaseHost: { readonly host: string }
  NoDatabaseName: object
  DuplicateAddressParameter: { readonly name: string }
  RootCertificateParameter: object
  UnknownAddressParameter: { readonly name: string; readonly known: readonly string[] }
  InvalidSearchPath: object
  InvalidSslMode: { readonly known: readonly string[]; readonly isVerifying: boolean }
  InvalidReplica: { readonly host: string }
  ReadOnlySession: { readonly known: readonly string[] }
}

export const settingProblem = problemsOf<SettingProblems & DatabaseAddressProblems>()
