import { randomUUID } from 'node:crypto'
import { after } from 'node:test'
import type { Program } from '../../src/api/index.ts'
import { hashParaphrase } from '../../src/auth/credentials.ts'
import { createClock } from '../../src/auth/index.ts'
import { hashToken, issueToken } from '../../src/auth/token.ts'
import { type Config, type Environment, type Flags, readConfig } from '../../src/config/index.ts'
import type { Awaitable } from '../../src/database/index.ts'
import type { ServerLimits } from '../../src/http/index.ts'
import { classSchemas } from '../../src/members/conversion/conversion.ts'
import { DEFAULT_BYTE_BUDGET, type Page } from '../../src/members/index.ts'
import type { Log } from '../../src/service/log.ts'
import { startService } from '../../src/service/service.ts'
import type { Store } from '../../src/store/index.ts'
import { openStore } from '../../src/store/open.ts'
import { isForAnyone, type Model, withAccounts, withoutAccounts } from '../../src/vocabulary/index.ts'
import { classesOf, type DeclaredOperations, withOwnOperations } from '../../src/vocabulary/operations.ts'
import { readShortForm } from '../../src/vocabulary/short-form/short-form.ts'
import { type Headers, PARAPHRASE, startClient, type TestClient, USER } from './client.ts'
import { emptyDatabase, isKept, shared } from './databases.ts'
import { atBase, type CheckResponse, checkFor, type Described } from './documented.ts'
import type { Ended } from './folders.ts'

export { type Ended, temporaryFolder } from './folders.ts'

/** Authors and books with every kind of property that a wire test needs, and nothing else. */
export const API = `
title: Library
classes:
  Author:
    properties:
      name: { type: string, required: true }
      born: date
  Book:
    properties:
      title: { type: string, required: true, maxLength: 200 }
      isbn: { type: string, unique: true }
      pages: { type: integer, minimum: 1 }
      price: decimal
      available: boolean
      genres: { type: string, many: true }
      author: Author
      createdAt: { type: dateTime, writable: false, default: now }
`

/** The same with one class that anyone may read (people.md, Anyone): what is protected stays so to the byte. */
const API_WITH_ANYONE = `${API}
  Notice:
    access: { view: anyone }
    properties: { name: { type: string, required: true } }
`

let usualApi = API

/** For the suites that run once more (test/together/): services whose file a test does not name have the word `anyone`. */
export function useAnyone(): void {
  usualApi = API_WITH_ANYONE
}

/** The path of what anyone may read; undefined where the file has no such word. */
export const pathForAnyone = (): string | undefined => (usualApi === API ? undefined : '/notices')

export interface ServiceOptions {
  readonly flags?: Flags
  readonly environment?: Environment
  readonly limits?: Partial<ServerLimits>
  /** Where something else opens it as well, or a file is what the test is about (`newDatabase`, `keptDatabase`); one of its own otherwise. */
  readonly db?: string
  /** Milliseconds since 1970, moved by the test; the real time without it. */
  readonly time?: { now: number }
  readonly api?: string
  /** Code of a program around the API (library.md). */
  readonly program?: Program
  /** Instead of `api`, where it was read from a document. */
  readonly model?: Model
  /** Members are from before a property was required, and may lack it (docs/api-file.md, Changing the file over data). */
  readonly hasOldMembers?: boolean
}

export interface TestService {
  readonly client: TestClient
  readonly base: string
  readonly port: number
  readonly db: string
  readonly store: Store
  /** Every line that was logged, as JSON. */
  readonly logged: string[]
  close(): Promise<void>
}

let hash: Promise<string> | undefined

/** Hashing is slow on purpose: the users of all tests share one hash. */
export const paraphraseHash = (): Promise<string> => {
  hash ??= hashParaphrase(PARAPHRASE)
  return hash
}

/** A search without an index gets the time that it takes on a busy machine. */
const PATIENT = '20s'

/**
 * One service for all tests of a file that look at nothing which others leave behind; started by the first of them. Called
 * where tests are declared, not within one.
 */
export const shareService = (options: ServiceOptions = {}): (() => Promise<TestService>) =>
  share((t) => serve(t, options))

/** The same for what is more than a service. */
export function share<T>(start: (t: Ended) => Promise<T>): () => Promise<T> {
  const ends: (() => unknown)[] = []
  after(async () => {
    for (const end of ends.reverse()) await end()
  })
  let started: Promise<T> | undefined
  return () => {
    started ??= start({ after: (end) => void ends.push(end as () => unknown) })
    return started
  }
}

/** A real service on a real port and a real database, ended with the test. User 7 may sign in. */
export async function serve(t: Ended, options: ServiceOptions = {}): Promise<TestService> {
  const { program } = options
  const read = options.model ?? modelOf(options.api ?? usualApi, program?.operations)
  const settings = { port: '0', scanTime: PATIENT, ...options.flags }
  const { mode } = readConfig(settings, options.environment ?? {})
  const model = mode === 'open' ? withoutAccounts(read) : withAccounts(read)
  const shapes = classSchemas(model)
  const db = options.db === undefined ? await emptyDatabase(t, shapes) : shared(options.db)
  const config = readConfig({ ...settings, db }, options.environment ?? {})
  const store = await openStore(db, shapes, { scanMs: config.scanMs, bulk: isKept(db) })
  await store.auth.addUser({ id: USER, paraphraseHash: await paraphraseHash() }, 0)
  await reach(store)
  const logged: string[] = []
  const time = options.time
  const service = await startService({
    config,
    model,
    store,
    log: createLog(logged),
    program,
    ...(time === undefined ? {} : { clock: createClock(() => time.now) }),
    ...(options.limits === undefined ? {} : { limits: options.limits }),
  })
  const close = once(async () => {
    await service.close()
    await store.close()
  })
  t.after(close)
  const { hasOldMembers = false } = options
  const now = () => time?.now ?? Date.now()
  const { base } = service
  const file = options.model || program ? undefined : (options.api ?? usualApi)
  const client = checked(startClient(service), { model, file, config, store, base, now, hasOldMembers })
  /** Signing in is seldom what a test is about: a token is issued without the hash that an exchange costs. */
  const signIn: TestClient['signIn'] = (userId = USER, paraphrase) =>
    paraphrase === undefined
      ? issueTokenTo(userId, store, config, now())
      : client.exchange(userId, paraphrase)
  return { client: { ...client, signIn }, ...service, db, store, logged, close }
}

/** Opens the connections that a start needs: each gets one second, which a busy machine may exceed. */
async function reach({ auth, changes }: Store): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      return void (await Promise.all([auth.hashParameters(), changes.epoch()]))
    } catch (error) {
      if ((error as { code?: string }).code !== 'DatabaseUnreachable' || tries === 10) throw error
    }
  }
}

interface CheckDependencies {
  readonly model: Model
  /** The text of the API file that the model was made from, if nothing was added to it. */
  readonly file: string | undefined
  readonly config: Config
  readonly store: Store
  readonly base: string
  readonly now: () => number
  readonly hasOldMembers: boolean
}

/** Every response must be what the OpenAPI document of the service says, as this user is shown it. */
function checked(
  client: TestClient,
  { model, file, config, store, base, now, hasOldMembers }: CheckDependencies,
): TestClient {
  const checks = new Map<string, CheckResponse>()
  const checkOf = (roles: Described, path: string): CheckResponse => {
    // A document cannot say that a parameter leaves out what is required.
    const isPartial = hasOldMembers || /[?&]fields=/.test(path)
    const key = `${roles} ${isPartial}`
    const check = checks.get(key) ?? checkFor(model, roles, { ...config, file, hasOldMembers: isPartial })
    checks.set(key, check)
    return check
  }
  /** The roles with which a token was last served. */
  const formerRoles = new Map<string, Described>()
  const isPublic = config.mode !== 'open' && isForAnyone(model)
  const rolesOf = async (token: string, headers: Headers): Promise<Described> => {
    if (isPublic && !hasCredentials(headers)) return 'anyone'
    if (model.access === undefined || token === '') return config.mode === 'nonce' ? [] : undefined
    try {
      return (await store.auth.findToken(hashToken(token), now()))?.roles ?? []
    } catch {
      // The database is lost by now.
      return formerRoles.get(token) ?? []
    }
  }
  return {
    ...client,
    async send(method, path, headers = {}, body) {
      const response = await client.send(method, path, headers, body)
      // All users are shown the same refusals.
      const token = headers['X-Authorization'] ?? ''
      const roles = response.status < 400 ? await rolesOf(token, headers) : undefined
      const { pathname } = new URL(path, base)
      const below = path.startsWith('http:') ? pathname.replace(new URL(base).pathname, '') : path
      const [request, sent] = [{ method, path: below }, atBase(response, base)]
      try {
        checkOf(roles, path)(request, sent)
      } catch (error) {
        // The token may have got other roles between the response and this check.
        const former = formerRoles.get(token)
        if (roles === undefined || former === undefined || String(former) === String(roles)) throw error
        checkOf(former, path)(request, sent)
      }
      if (response.status < 400) formerRoles.set(token, roles)
      return response
    },
  }
}

/** Whether a request goes through the gate (people.md, Anyone). */
const hasCredentials = (headers: Headers): boolean =>
  Object.keys(headers).some((name) => /^(?:x-authorization|x-authentication|authorization)$/i.test(name))

/** What the gate does in step B, but for the check of the paraphrase. */
async function issueTokenTo(userId: number, { auth }: Store, config: Config, now: number): Promise<string> {
  const { limits, nonceTtlMs, tokenTtlMs } = config
  const series = await auth.nonceSeries()
  const spending = { nonce: randomUUID(), nonceExpiresAt: now + nonceTtlMs, series, now }
  const [user, begun] = [
    await auth.findUser(userId),
    await auth.begin({ address: 'test', claimed: userId, ...spending, limits }),
  ]
  if (user === undefined || begun.outcome !== 'begun') throw new Error(`User ${userId} cannot sign in.`)
  const token = issueToken()
  const stored = { hash: hashToken(token), issuedAt: now, expiresAt: now + tokenTtlMs }
  if (!(await auth.succeed(begun.attemptId, user, now, stored)))
    throw new Error('The user has changed meanwhile.')
  return token
}

/** The first of a class's members in the order of creation, and how many there are, past the wire. */
export const listAll = (store: Store, className: string): Awaitable<Page> =>
  store.members.list(className, {
    filters: [],
    words: [],
    order: [],
    start: { at: 'offset', offset: 0 },
    limit: 100,
    byteBudget: DEFAULT_BYTE_BUDGET,
    count: 'bounded',
  })

/** The classes of a model, as a store is opened with them. */
export const schemasOf = classSchemas

/** The model of an API file in the short form that has no problem. */
export function modelOf(api: string, operations: DeclaredOperations = {}): Model {
  const read = readShortForm(api, 'api.yaml', classesOf(operations))
  const made = 'problems' in read ? read : withOwnOperations(read.model, operations)
  if ('problems' in made) throw new Error(JSON.stringify(made.problems))
  return made.model
}

function createLog(lines: string[]): Log {
  const at = (level: string) => (details: object, message: string) => {
    const { err, ...rest } = details as { err?: unknown }
    lines.push(
      JSON.stringify({ level, message, ...rest, ...(err === undefined ? {} : { err: String(err) }) }),
    )
  }
  return { error: at('error'), warn: at('warn'), info: at('info'), debug: at('debug') }
}

function once(act: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | undefined
  return () => {
    done ??= act()
    return done
  }
}
