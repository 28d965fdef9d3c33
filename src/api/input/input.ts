import { invalid } from '../../errors.ts'
import type { JsonObject } from '../../json.ts'
import { keepHidden } from '../../members/adopt-hidden.ts'
import { addressOf } from '../../members/shapes.ts'
import { readText, type Values } from '../../members/stored-text.ts'
import { writeMember } from '../../members/stored-text-member.ts'
import type { Awaitable, NewMember, StoredMember, WholeText, Written } from '../../store/store.ts'
import type { Class } from '../../vocabulary/model.ts'
import { pathTo } from '../../vocabulary/names.ts'
import { createReadClass } from './class.ts'
import type { Sending } from './envelope.ts'
import { createLinkedInput } from './json-ld/linked-input.ts'
import { mergePatch } from './merge-patch.ts'
import { createIsPlain, representPlain } from './plain.ts'
import { createReport } from './report.ts'
import { createSettle } from './settle.ts'

export { ID } from './link.ts'

/** What was sent for a member, checked against its class and ready to be stored; or 422 that names every violation. */
export interface Input {
  /** Any shape of JSON-LD in our terms. `target`: what its relative addresses are relative to. */
  plain(sent: JsonObject, target: string): Awaitable<JsonObject>
  /** `now` is for defaults; `address` is what `@id` may say, which is refused without one. */
  create(plain: JsonObject, id: string, now: number, address?: string): NewMember
  /** As a creation, but read-only values are taken as they were sent: for members that come from elsewhere. */
  restore(plain: JsonObject, id: string, now: number): NewMember
  replace(plain: JsonObject, current: StoredMember & WholeText, now: number): Written
  /** RFC 7396: a replacement by what the patch makes of the present representation. */
  update(patch: JsonObject, current: StoredMember & WholeText, now: number): Written
}

/**
 * Each word of a member stands in an index, and each is written when the member is: a text of a megabyte can have 150,000
 * different ones, which take longer than a write may (hypermedia.md has no such limit: it is ours). A novel has 20,000.
 */
export const MOST_WORDS = 20_000

function requireFewWords(count: number): void {
  if (count <= MOST_WORDS) return
  const message =
    `The texts of a member may have ${MOST_WORDS.toLocaleString('en')} different words, and these have ` +
    `${count.toLocaleString('en')}; a property that is \`filterable: false\` in the API file has none that count.`
  throw invalid([{ propertyPath: '', message }])
}

export function createInput(cls: Class, base: string): Input {
  const read = createReadClass(cls, base)
  const settle = createSettle(cls)
  const isPlain = createIsPlain(cls, base)
  const fromLinked = createLinkedInput(cls, base)
  const addressFor = addressOf(cls, base)
  const collection = base + pathTo(cls.collection ?? cls.name)

  function valuesOf(
    sent: JsonObject,
    former: Values | undefined,
    sending: Sending,
    now: number,
    kind: 'whole' | 'patched' | 'restored',
  ): Values {
    const report = createReport()
    const values = read(sent, '', sending, report)
    settle(values, former, '', {
      now,
      report,
      isWhole: kind !== 'patched',
      isRestored: kind === 'restored',
    })
    report.settle()
    return values
  }

  function writtenOf(values: Values, hidden: string): Written {
    const written = writeMember(cls, values, hidden)
    requireFewWords(written.keys.words.length)
    return written
  }

  function replaced(
    sent: JsonObject,
    former: Values,
    current: StoredMember & WholeText,
    now: number,
    kind: 'whole' | 'patched',
  ): Written {
    const address = addressFor(current.id)
    const values = valuesOf(sent, former, { target: address, address }, now, kind)
    return writtenOf(values, keepHidden(cls, current.hidden, values, former))
  }

  return {
    plain: (sent, target) => (isPlain(sent) ? sent : fromLinked(sent, target)),
    create(plain, id, now, address) {
      const values = valuesOf(plain, undefined, { target: address ?? collection, address }, now, 'whole')
      return { id, ...writtenOf(values, '') }
    },
    restore(plain, id, now) {
      const values = valuesOf(plain, undefined, { target: collection, address: undefined }, now, 'restored')
      return { id, ...writtenOf(values, '') }
    },
    replace: (plain, current, now) => replaced(plain, readText(current.body), current, now, 'whole'),
    update(patch, current, now) {
      const former = readText(current.body)
      return replaced(mergePatch(representPlain(cls, former, base), patch), former, current, now, 'patched')
    },
  }
}
