import { ApiError } from './errors.ts'

export interface UserCredentials {
  /** The id or the name of the user. */
  readonly id: number | string
  readonly paraphrase: string
}

/**
 * Called when a person has to sign in; returns undefined to give up. `error` says why the last attempt failed, `expired`
 * that there was a token before.
 */
export type AskCredentials = (question: {
  readonly error: ApiError | undefined
  readonly expired: boolean
}) => Promise<UserCredentials | undefined> | UserCredentials | undefined

/** Names by which others call the paraphrase. */
const MISNOMERS = ['passphrase', 'password']

/**
 * Throws if a key is missing, or empty as from an unset variable: the server could only say that the credentials are
 * wrong, and not every program is checked by a compiler. The message has no values, which are secrets.
 */
export const requireComplete = (credentials: UserCredentials): UserCredentials => {
  const isMissing = (key: keyof UserCredentials) =>
    credentials[key] === '' || !/string|number/.test(typeof credentials[key])
  const missing = (['id', 'paraphrase'] as const).find(isMissing)
  if (!missing) return credentials
  const misnomer = missing === 'paraphrase' && Object.keys(credentials).find((key) => MISNOMERS.includes(key))
  const sentence = misnomer
    ? `The credentials have "${misnomer}"; that key must be named "paraphrase".`
    : `The credentials lack "${missing}"; they must be { id, paraphrase }.`
  throw new ApiError('credentials', sentence, { code: 'credentials-incomplete' })
}

/** Credentials from the options of the client: once refused, they are not sent again. */
export const offer = (credentials: UserCredentials): AskCredentials => {
  requireComplete(credentials)
  let refused: ApiError | undefined
  return ({ error = refused }) => {
    if (!error) return credentials
    if (error.status === 401) refused = error
    throw error
  }
}
