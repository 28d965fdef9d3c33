import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { OpenChanges, type Waiting } from '../../../src/api/followers/progress.ts'
import { type Change, type FollowerWait, keyOfMember, MAX_WAITING } from '../../../src/members/index.ts'

const MEMBERS = ['a', 'b', 'c']
const FAILURE = { attempts: 1, nextAt: 0, error: 'no' }

const changeOf = (position: number, id: string): Change => ({
  ...{ position, className: 'Book', id, kind: 'update', version: position, at: position },
  ...{ owner: undefined, actor: undefined },
})

/** What happens next: more of the log is read, or what runs ends in some way, or the process ends. */
const STEPS = fc.array(
  fc.oneof(
    fc.record({ kind: fc.constant('read' as const), count: fc.integer({ min: 1, max: 5 }) }),
    fc.record({
      kind: fc.constantFrom('start', 'handle', 'fail', 'retry', 'retry in vain', 'save', 'crash', 'leave'),
      index: fc.nat(9),
    }),
  ),
  { maxLength: 80, size: 'max' },
)

type Step = (typeof STEPS extends fc.Arbitrary<infer T> ? T : never) extends readonly (infer S)[] ? S : never

/** A follower of a log, whose processes come and go; it remembers what was handled, in order. */
class Model {
  readonly log: readonly Change[]
  readonly handled: Change[] = []
  saved: { position: number; waits: Map<string, FollowerWait> } = { position: 0, waits: new Map() }
  progress = new OpenChanges(0, [])
  running: Change[] = []

  constructor(ids: readonly string[]) {
    this.log = ids.map((id, index) => changeOf(index + 1, id))
  }

  async step(step: Step): Promise<void> {
    if (step.kind === 'read') return this.read(step.count)
    const change = this.running[step.index % Math.max(1, this.running.length)]
    const due = [...this.progress.waiting.values()].filter((one) => this.progress.isRead(one))
    const waiting = due[step.index % Math.max(1, due.length)]
    if (step.kind === 'start') this.start()
    if (step.kind === 'handle' && change !== undefined) this.end(change, () => this.progress.handled(change))
    if (step.kind === 'fail' && change !== undefined)
      this.end(change, () => this.progress.failed(change, FAILURE), false)
    if (step.kind === 'retry' && waiting !== undefined) this.retry(waiting)
    if (step.kind === 'retry in vain' && waiting !== undefined)
      this.progress.waitsFor(waiting, { ...waiting, attempts: waiting.attempts + 1 })
    if (step.kind === 'save') await this.save()
    if (step.kind === 'crash') this.restart()
    if (step.kind === 'leave') {
      this.progress.leave(0)
      await this.save()
      this.restart()
    }
  }

  read(count: number): void {
    const { reached } = this.progress
    const changes = this.log.slice(reached, reached + count)
    this.progress.add(changes, changes.at(-1)?.position ?? reached)
  }

  start(): void {
    const change = this.progress.next()
    if (change === undefined) return
    assert.ok(!this.running.some(({ id }) => id === change.id), 'two changes of one member at once')
    assert.ok(!this.progress.waiting.has(keyOfMember(change)), 'a change of a member that waits')
    this.running.push(change)
  }

  end(change: Change, note: () => void, isHandled = true): void {
    this.running = this.running.filter((one) => one !== change)
    if (isHandled) this.handled.push(change)
    note()
  }

  retry(waiting: Waiting): void {
    this.handled.push(this.log[waiting.position - 1] as Change)
    const next = this.log.find(({ id, position }) => id === waiting.id && position > waiting.position)
    if (next === undefined || next.position > waiting.lastRead) this.progress.settled(waiting)
    else this.progress.waitsFor(waiting, { ...waiting, position: next.position, attempts: 0 })
  }

  async save(): Promise<void> {
    await this.progress.save(async ({ position, waits, settled }) => {
      for (const wait of waits) this.saved.waits.set(keyOfMember(wait), wait)
      for (const member of settled) this.saved.waits.delete(keyOfMember(member))
      assert.ok(position >= this.saved.position, 'the position has gone back')
      this.saved.position = position
      return true
    })
    this.requireCovered()
  }

  /** Everything up to the saved position was handled, or waits. */
  requireCovered(): void {
    for (const change of this.log.slice(0, this.saved.position)) {
      const wait = this.saved.waits.get(keyOfMember(change))
      const isWaiting = wait !== undefined && wait.position <= change.position
      assert.ok(isWaiting || this.handled.includes(change), `${change.position} was passed over`)
    }
  }

  restart(): void {
    this.running = []
    this.progress = new OpenChanges(this.saved.position, [...this.saved.waits.values()])
  }

  async finish(): Promise<void> {
    for (
      let rounds = 0;
      this.progress.position < this.log.length || this.progress.waiting.size > 0;
      rounds++
    ) {
      assert.ok(rounds < 1_000, 'it does not come to the end of the log')
      this.read(10)
      this.start()
      for (const change of this.running) this.end(change, () => this.progress.handled(change))
      for (const waiting of this.progress.waiting.values())
        if (this.progress.isRead(waiting)) this.retry(waiting)
      await this.save()
    }
  }
}

describe('OpenChanges', () => {
  test('passes over nothing, keeps the order of each member, and repeats nothing without a crash', async () => {
    const logs = fc.array(fc.constantFrom(...MEMBERS), { maxLength: 30, size: 'max' })
    await fc.assert(
      fc.asyncProperty(logs, STEPS, fc.boolean(), async (ids, steps, crashes) => {
        const model = new Model(ids)
        for (const step of steps) if (crashes || step.kind !== 'crash') await model.step(step)
        await model.finish()
        for (const id of MEMBERS) {
          const ofMember = (changes: readonly Change[]) => changes.filter((one) => one.id === id)
          assert.deepEqual([...new Set(ofMember(model.handled))], ofMember(model.log))
        }
        if (!crashes) assert.equal(model.handled.length, model.log.length)
      }),
      { numRuns: 500 },
    )
  })

  test('reads no more while too many members wait, but up to all that wait', () => {
    const waits = Array.from({ length: MAX_WAITING }, (_, index) => ({
      ...{ className: 'Book', id: `${index}`, position: index + 1, ...FAILURE },
    }))
    assert.equal(new OpenChanges(MAX_WAITING, waits).isHeldUp, true)
    assert.equal(new OpenChanges(MAX_WAITING, waits.slice(1)).isHeldUp, false)
    assert.equal(new OpenChanges(MAX_WAITING - 1, waits).isHeldUp, false)
  })

  test('keeps what could not be saved for the next time', async () => {
    const progress = new OpenChanges(0, [])
    progress.add([changeOf(1, 'a')], 1)
    const change = progress.next() as Change
    progress.failed(change, FAILURE)
    await assert.rejects(progress.save(() => Promise.reject(new Error('down'))))
    const [waiting] = progress.unsaved()?.waits ?? []
    assert.deepEqual([waiting?.id, waiting?.position, progress.unsaved()?.position], ['a', 1, 1])
    await progress.save(async () => true)
    assert.equal(progress.unsaved(), undefined)
  })
})
