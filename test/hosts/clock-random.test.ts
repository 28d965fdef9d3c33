import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Clock, createClock, type Gate, openGate } from '../../src/auth/index.ts'
import { sweepTime } from '../../src/auth/open-gate.ts'
import type { GateRequest } from '../../src/http/index.ts'
import type { Store } from '../../src/store/index.ts'
import { openStore } from '../../src/store/open.ts'
import { MINUTE, SECOND } from '../support/auth-steps.ts'
import { stepB, USER } from '../support/client.ts'
import { paraphraseHash } from '../support/service.ts'
import { inSoak } from '../support/soak.ts'
import { SHARED_STORES } from '../support/stores.ts'
import { type HostTime, startTrueTime, type TrueTime } from '../support/true-time.ts'

// Clocks that are set at random, beside a model that knows true time (authentication.md, Time): three hosts on PostgreSQL,
// each with a clock of its own; and three processes on a SQLite file, which have the clock of their machine.

const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const LIFE = 45 * MINUTE
const ACTS = Number(process.env.HYDRANT_ACTS ?? inSoak(3_000, 80))
const LIMIT = { failures: 1_000_000, windowMs: MINUTE }
const LIMITS = { user: LIMIT, address: LIMIT }
const WRONG = [3 * SECOND, 90 * SECOND, 10 * MINUTE, HOUR, 2 * DAY]
const STEPS = [0, 0, 0, 0, ...WRONG, ...WRONG.map((ms) => -ms)]
const PASSES = [SECOND, 6 * SECOND, 6 * SECOND, MINUTE, 3 * MINUTE, 20 * MINUTE, LIFE - MINUTE, 2 * DAY]

interface Host {
  readonly name: number
  readonly time: HostTime
  readonly store: Store
  clock: Clock
  admit: Gate
  close(): Promise<void>
}

interface IssuedNonce {
  readonly text: string
  readonly host: Host
  /** How often the clock of its host had been set back. */
  readonly stepsBefore: number
  isAccepted: boolean
}

interface IssuedToken {
  readonly text: string
  readonly at: number
  /** Its host was right, and no clock that may end it was wrong since. */
  isSafe: boolean
}

/** Numbers from 0 on, below `below`, the same for the same seed (mulberry32). */
function createRandom(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296) * below)
  }
}

const requestOf = (headers: Readonly<Record<string, string>>): GateRequest => ({
  address: '192.0.2.1',
  rawHeaders: Object.entries(headers).flat(),
  drain: async () => true,
})

class Model {
  readonly random: (below: number) => number
  readonly trueTime: TrueTime
  readonly hosts: readonly Host[]
  /** Whether each host has a clock of its own. */
  readonly isApart: boolean
  readonly nonces: IssuedNonce[] = []
  readonly tokens: IssuedToken[] = []
  readonly steps = new Map<HostTime, number>()

  constructor(seed: number, trueTime: TrueTime, hosts: readonly Host[], isApart: boolean) {
    this.random = createRandom(seed)
    this.trueTime = trueTime
    this.hosts = hosts
    this.isApart = isApart
  }

  pick<T>(from: readonly T[]): T {
    return from[this.random(from.length)] as T
  }

  isRight({ clock }: Host): boolean {
    return clock.now() === this.trueTime.now
  }

  async act(): Promise<void> {
    const host = this.pick(this.hosts)
    const acts: readonly [weight: number, act: () => unknown][] = [
      [5, () => this.set(host)],
      [5, () => this.trueTime.pass(this.pick(PASSES))],
      [4, () => this.challenge(host)],
      [6, () => this.exchange(host, this.pick(this.nonces.slice(-6)))],
      [3, () => this.signIn(host)],
      [6, () => this.use(host, this.pick(this.tokens.slice(-8)))],
      [4, () => this.outlive(this.pick(this.tokens.slice(-4)))],
      [4, async () => host.store.auth.sweep(await sweepTime(host.store.auth, host.clock), LIMITS, 100)],
      [2, () => restart(host)],
    ]
    let chosen = this.random(acts.reduce((sum, [weight]) => sum + weight, 0))
    for (const [weight, act] of acts) {
      chosen -= weight
      if (chosen < 0) return void (await act())
    }
  }

  set({ time, clock }: Host, ahead = this.pick(STEPS)): void {
    const before = clock.now()
    time.ahead = ahead
    for (const host of this.hosts) if (host.time === time) host.clock.now()
    if (before - clock.now() > 5 * SECOND) this.steps.set(time, (this.steps.get(time) ?? 0) + 1)
    // On one machine a wrong clock may sweep, or end, what is live by the right one.
    if (!this.isApart && time.ahead !== 0) for (const token of this.tokens) token.isSafe = false
  }

  async challenge(host: Host): Promise<IssuedNonce> {
    const admission = await host.admit(requestOf({}))
    assert.ok(admission.verdict === 'challenged')
    const stepsBefore = this.steps.get(host.time) ?? 0
    const nonce = { text: admission.nonce, host, stepsBefore, isAccepted: false }
    this.nonces.push(nonce)
    return nonce
  }

  async exchange(host: Host, nonce: IssuedNonce | undefined): Promise<boolean> {
    if (nonce === undefined) return false
    const isRight = this.isRight(host)
    const admission = await host.admit(requestOf(stepB(nonce.text, USER)))
    if (admission.verdict !== 'exchanged') return false
    assert.ok(!nonce.isAccepted, 'a nonce was accepted twice')
    const isOwn = nonce.host.time === host.time
    assert.ok(
      !isOwn || nonce.stepsBefore === (this.steps.get(host.time) ?? 0),
      'a nonce from before a step was accepted',
    )
    nonce.isAccepted = true
    this.tokens.push({ text: admission.token, at: this.trueTime.now, isSafe: isRight })
    return true
  }

  /** On a right host a client that begins again with step A once gets a token, which works. */
  async signIn(host: Host): Promise<void> {
    if (!this.isRight(host)) return
    const isDone =
      (await this.exchange(host, await this.challenge(host))) ||
      (await this.exchange(host, await this.challenge(host)))
    assert.ok(isDone, 'a right host is held up: no nonce works')
    assert.ok(await this.use(host, this.tokens.at(-1)), 'a right host is held up: its token does not work')
  }

  /** Around the end of a token, on all hosts, some of which are put right before. */
  async outlive(token: IssuedToken | undefined): Promise<void> {
    if (token === undefined) return
    for (const age of [LIFE - SECOND, LIFE + 6 * SECOND]) {
      const ms = token.at + age - this.trueTime.now
      if (ms <= 0) continue
      await this.trueTime.pass(ms)
      for (const host of this.hosts) {
        if (this.random(2) === 0) this.set(host, 0)
        await this.use(host, token)
      }
    }
  }

  /** In the end all clocks are put right: then every host issues tokens that work, whatever was written before. */
  async putRight(): Promise<void> {
    for (const host of this.hosts) this.set(host, 0)
    // A small step back is smoothed until then.
    await this.trueTime.pass(6 * SECOND)
    for (const host of this.hosts) {
      assert.ok(this.isRight(host))
      await this.signIn(host)
    }
    for (const host of this.hosts) await this.outlive(this.tokens.at(-1 - host.name))
  }

  async use(host: Host, token: IssuedToken | undefined): Promise<boolean> {
    if (token === undefined) return false
    const age = this.trueTime.now - token.at
    const { verdict } = await host.admit(requestOf({ 'X-Authorization': token.text }))
    const isServed = verdict === 'admitted'
    // Whichever clock judges it, since the database's is right.
    assert.ok(!isServed || age <= LIFE + 5 * SECOND, `a token was served after ${age} ms`)
    if (token.isSafe && this.isRight(host)) assert.equal(isServed, age < LIFE, `${age} ms on a right host`)
    return isServed
  }
}

/** A new process on the same store. */
async function restart(host: Host): Promise<void> {
  await host.close()
  host.clock = createClock(() => host.time.now)
  const gate = await openGate({
    ...{ mode: 'token', store: host.store.auth, clock: host.clock, secrets: undefined },
    ...{ tokenTtlMs: LIFE, nonceTtlMs: 5 * MINUTE, limits: LIMITS },
    onWrongClock() {},
    onError: assert.ifError,
  })
  host.admit = gate.admit
  host.close = gate.close
}

async function run(db: string, isApart: boolean, seed: number): Promise<void> {
  const stores = await Promise.all(Array.from({ length: 3 }, () => openStore(db)))
  await stores[0]?.auth.addUser({ id: USER, paraphraseHash: await paraphraseHash() }, 0)
  const trueTime = await startTrueTime(db, Date.now())
  const shared = trueTime.newHost()
  const hosts = stores.map((store, name): Host => {
    const time = isApart ? trueTime.newHost() : shared
    return {
      name,
      time,
      store,
      clock: createClock(),
      admit: async () => assert.fail(),
      close: async () => {},
    }
  })
  for (const host of hosts) await restart(host)
  const model = new Model(seed, trueTime, hosts, isApart)
  try {
    for (let count = 0; count < ACTS; count += 1)
      await model.act().catch((error: unknown) => {
        throw new Error(`seed ${seed}, act ${count}`, { cause: error })
      })
    await model.putRight().catch((error: unknown) => {
      throw new Error(`seed ${seed}, in the end`, { cause: error })
    })
  } finally {
    for (const { close, store } of hosts) {
      await close()
      await store.close()
    }
  }
}

describe('clocks that are set at random, against a model that knows true time', () => {
  for (const { name, newDatabase } of SHARED_STORES) {
    const isApart = name === 'PostgreSQL'
    // contract: A clock may be wrong, and be put right
    // contract: No token is served later than 45 minutes and 5 s
    // contract: No nonce is accepted twice
    // contract: Right clocks are not held up
    test(`${name}: three ${isApart ? 'hosts' : 'processes'}`, async (t) => {
      const seed = Number(process.env.HYDRANT_SEED ?? inSoak(Math.floor(Math.random() * 1e9), 20260701))
      await run(newDatabase(t), isApart, seed)
    })
  }
})
