import type { Link } from './api-types.ts'
import type { Collection } from './collection.ts'
import type { UserCredentials } from './credentials.ts'
import type { Member } from './member-types.ts'
import type { AbortOptions, RequestOptions } from './request.ts'

/** An account. Users who may not manage accounts see only the number and the name of others. */
export interface Account {
  readonly '@id': Link<Account>
  readonly '@type': 'Account'
  readonly userId: number
  /** What people call the user, who may also sign in with it. */
  name?: string
  roles?: string[]
  readonly createdAt?: string
  /** When the user last signed in. */
  readonly signedInAt?: string
  /** How many tokens of the user are valid. */
  readonly tokens?: number
  /** Only in the response to `create`, and only if the API made the passphrase. */
  paraphrase?: string
}

export interface AccountInput {
  /** A free number, if there is none. */
  readonly userId?: number
  readonly name?: string
  readonly roles?: readonly string[]
  /** Made by the API, if there is none. */
  readonly paraphrase?: string
}

export interface AccountQuery {
  readonly __steps?: Record<never, never>
  readonly userId?: number | readonly number[]
  readonly name?: string | readonly string[]
  readonly 'name.startsWith'?: string
  readonly 'name.contains'?: string
  readonly 'name.exists'?: boolean
  readonly roles?: string | readonly string[]
  readonly 'order[userId]'?: 'asc' | 'desc'
  readonly 'order[name]'?: 'asc' | 'desc'
  readonly q?: string
  readonly fields?: string | readonly string[]
  readonly sort?: string
  readonly page?: number
  readonly itemsPerPage?: number
  readonly after?: string
  readonly before?: string
}

interface AccountTypes {
  readonly class: 'Account'
  readonly member: Account
  readonly input: AccountInput
  readonly query: AccountQuery
}

/** The collection of accounts, for users who may see more than their own. */
export interface AccountCollection extends Collection<AccountTypes> {
  /** Ends all tokens of a user, who has to sign in again everywhere. */
  endTokens(userId: number | string, options?: AbortOptions): Promise<void>
}

export interface OwnAccount extends Member<Account> {
  /** Ends the user's other tokens; the token of this client stays. */
  changeParaphrase(current: string, next: string, options?: AbortOptions): Promise<void>
  /** Ends all tokens, including the one of this client. */
  endTokens(options?: AbortOptions): Promise<void>
}

/** Passed instead of imported, as in batches. */
interface AccountsClient {
  collection(name: string): unknown
  get(link: string, options?: AbortOptions): Promise<unknown>
  request(method: string, iri: string, options?: RequestOptions): Promise<unknown>
  replaceCredentials(credentials: UserCredentials): void
}

/** `own`: the account of the user who is signed in. */
export function openAccounts(
  client: AccountsClient,
): AccountCollection & { own(options?: AbortOptions): Promise<OwnAccount> } {
  const accounts = client.collection('accounts') as Collection<AccountTypes>
  const endTokensOf = async (iri: string, options?: AbortOptions): Promise<void> => {
    await client.request('DELETE', `${iri}/tokens`, options)
  }
  return {
    ...accounts,
    endTokens: async (userId, options) => endTokensOf(`${await accounts.iri(options)}/${userId}`, options),

    async own(options) {
      // By its path: where anyone may read the API, the entry point has no link to the session (people.md, Anyone).
      const session = (await client.get('session', options)) as Member<{ readonly account: string }>
      const account = (await client.get(session.data.account, options)) as Member<Account>
      const { iri, data } = account
      return {
        ...account,
        endTokens: (more) => endTokensOf(iri, more),
        async changeParaphrase(current, next, more) {
          await client.request('POST', `${iri}/paraphrase`, { ...more, body: { current, new: next } })
          client.replaceCredentials({ id: data.userId, paraphrase: next })
        },
      }
    },
  }
}
