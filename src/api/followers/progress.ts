import {
  type Change,
  type FollowerProgress,
  type FollowerWait,
  keyOfMember,
  MAX_WAITING,
  type MemberName,
} from '../../members/index.ts'

/** A member that waits for a change that has failed. */
export interface Waiting extends MemberName {
  position: number
  attempts: number
  nextAt: number
  error: string
  /** The last change of the member that was read: it waits too. After a restart, the position of the follower. */
  lastRead: number
  isRunning: boolean
}

type Saved = Pick<FollowerProgress, 'position' | 'waits' | 'settled'>

/**
 * What a follower has to do, and what it has done: changes that were read and are not handled, and members that wait. The
 * changes of one member are handled one after the other, those of different members in any order. Does nothing by itself.
 */
export class OpenChanges {
  /** All changes up to this one were read. */
  reached: number
  /** Changes that were read and are neither handled nor waiting, in the order of their positions. */
  readonly #open = new Set<number>()
  /** The open changes of each member; the first is being handled, or ready. */
  readonly #queues = new Map<string, Change[]>()
  #ready: string[] = []
  readonly #waiting = new Map<string, Waiting>()
  /** The members whose wait has changed since it was last saved. */
  #unsaved = new Map<string, MemberName>()
  #savedPosition: number
  /** The last change that was handled and whose member does not wait. */
  #lastHandled: number

  constructor(position: number, waits: readonly FollowerWait[]) {
    this.reached = position
    this.#savedPosition = position
    this.#lastHandled = position
    for (const wait of waits)
      this.#waiting.set(keyOfMember(wait), { ...wait, lastRead: position, isRunning: false })
  }

  /** All changes up to this one were handled, or wait. */
  get position(): number {
    const [first] = this.#open
    return first === undefined ? this.reached : first - 1
  }

  get open(): number {
    return this.#open.size
  }

  get waiting(): ReadonlyMap<string, Waiting> {
    return this.#waiting
  }

  /**
   * Whether so many members wait that no more changes are read. A saved wait may be ahead of the saved position: up to
   * there changes are read again.
   */
  get isHeldUp(): boolean {
    return this.#waiting.size >= MAX_WAITING && [...this.#waiting.values()].every((one) => this.isRead(one))
  }

  /** Whether the changes up to the failed one were read: until then, earlier changes of the member may come again. */
  isRead({ position }: Waiting): boolean {
    return position <= this.reached
  }

  /** Adds changes after `reached`, in order. `end`: all changes up to it were read. */
  add(changes: readonly Change[], end: number): void {
    for (const change of changes) {
      const key = keyOfMember(change)
      const waiting = this.#waiting.get(key)
      if (waiting !== undefined) waiting.lastRead = change.position
      else this.#enqueue(key, change)
    }
    this.reached = Math.max(this.reached, end)
  }

  #enqueue(key: string, change: Change): void {
    this.#open.add(change.position)
    const queue = this.#queues.get(key)
    if (queue !== undefined) queue.push(change)
    else {
      this.#queues.set(key, [change])
      this.#ready.push(key)
    }
  }

  /** The next change to handle now; undefined if there is none. */
  next(): Change | undefined {
    const key = this.#ready.shift()
    return key === undefined ? undefined : this.#queues.get(key)?.[0]
  }

  /** A change that `next` has returned was handled. */
  handled(change: Change): void {
    const key = keyOfMember(change)
    this.#open.delete(change.position)
    this.#noteHandled(change)
    const queue = this.#queues.get(key)
    queue?.shift()
    if (queue === undefined || queue.length === 0) this.#queues.delete(key)
    else this.#ready.push(key)
  }

  /** A change that `next` has returned could not be tried, and has to be tried later. */
  returned(change: Change): void {
    this.#ready.push(keyOfMember(change))
  }

  /** A change that `next` has returned has failed: from now on its member waits. */
  failed(change: Change, { attempts, nextAt, error }: Pick<Waiting, 'attempts' | 'nextAt' | 'error'>): void {
    const key = keyOfMember(change)
    const { className, id, position } = change
    const queue = this.#queues.get(key) ?? []
    for (const one of queue) this.#open.delete(one.position)
    this.#queues.delete(key)
    const lastRead = queue.at(-1)?.position ?? position
    this.#waiting.set(key, { className, id, position, attempts, nextAt, error, lastRead, isRunning: false })
    this.#unsaved.set(key, change)
  }

  /** A waiting change has failed again, or the wait goes on with a later change of the member. */
  waitsFor(waiting: Waiting, now: Pick<Waiting, 'position' | 'attempts' | 'nextAt' | 'error'>): void {
    Object.assign(waiting, now)
    this.#unsaved.set(keyOfMember(waiting), waiting)
  }

  /** All changes of the member that were read are handled. */
  settled(waiting: Waiting): void {
    const key = keyOfMember(waiting)
    this.#waiting.delete(key)
    this.#unsaved.set(key, waiting)
    this.#noteHandled(waiting)
  }

  #noteHandled({ position }: Pick<Change, 'position'>): void {
    this.#lastHandled = Math.max(this.#lastHandled, position)
  }

  /**
   * Called before another process gets the follower: members with unhandled changes wait, so that nothing that came
   * after these is handled again.
   */
  leave(now: number): void {
    const end = Math.max(this.position, this.#lastHandled)
    for (const [first] of this.#queues.values())
      if (first !== undefined && first.position < end)
        this.failed(first, { attempts: 0, nextAt: now, error: '' })
    this.#open.clear()
    this.reached = end
  }

  /** What has to be saved; undefined if everything is. */
  unsaved(): Saved | undefined {
    const { position } = this
    if (this.#unsaved.size === 0 && position === this.#savedPosition) return undefined
    const all = [...this.#unsaved]
    return {
      position,
      waits: all.flatMap(([key]) => {
        const waiting = this.#waiting.get(key)
        // Copied, since it may change before it is sent.
        return waiting === undefined ? [] : [{ ...waiting }]
      }),
      settled: all.flatMap(([key, { className, id }]) => (this.#waiting.has(key) ? [] : [{ className, id }])),
    }
  }

  /** Calls `save` with what has to be saved, which counts as saved unless that fails. */
  async save(save: (unsaved: Saved) => Promise<boolean>): Promise<boolean> {
    const unsaved = this.unsaved()
    if (unsaved === undefined) return true
    const taken = this.#unsaved
    this.#unsaved = new Map()
    try {
      const isSaved = await save(unsaved)
      if (isSaved) this.#savedPosition = unsaved.position
      return isSaved
    } catch (error) {
      this.#unsaved = new Map([...taken, ...this.#unsaved])
      throw error
    }
  }
}
