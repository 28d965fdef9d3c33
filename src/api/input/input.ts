import type { Principal } from '../../auth/index.ts'
import type { Awaitable } from '../../database/index.ts'
import { isObject, type JsonObject, type JsonValue } from '../../json.ts'
import {
  addressOf,
  keepHidden,
  linkName,
  linksOf,
  type MemberContent,
  type MemberName,
  type MemberValues,
  type NewMember,
  ownOf,
  readText,
  requestBodyOf,
  type StoredMember,
  type WholeText,
  withoutLinks,
  writeMember,
} from '../../members/index.ts'
import { type Class, pathTo, usualSpelling, wordStart } from '../../vocabulary/index.ts'
import { createExpandBody } from './expansion.ts'
import { type RepeatedMember, repeatedIn, valuesThen } from './former.ts'
import { createIsOwnContext } from './identifiers.ts'
import { createToOwnTerms } from './json-ld.ts'
import { inputProblem, validationFailed } from './problems.ts'
import {
  createReadProperties,
  InvalidBody,
  type Submission,
  type UserView,
  Violations,
} from './properties.ts'
import { createAddUnseen, type WriterView, writtenClass } from './unseen.ts'
import { createValidate, withAlways } from './validate.ts'

type Current = StoredMember & WholeText

/** The user who will own a new member (access.md, Owners). */
export type Creator = Pick<Principal, 'userId' | 'number'>

interface Creation extends Partial<Pick<Submission, 'address' | 'kind' | 'references' | 'userView'>> {
  readonly creator?: Creator | undefined
  readonly repeated?: RepeatedMember | undefined
}

interface ReplaceOptions extends Pick<Creation, 'kind' | 'references' | 'userView'> {
  /** The user who writes; undefined without authentication. */
  readonly writer?: Pick<Principal, 'userId'> | undefined
  /** For a hook on an update: the member as the update has left it, which may lack required values. */
  readonly updated?: MemberContent | undefined
  /** For a member that is brought back: the earlier state whose read-only values the body may have (history.md, On the wire). */
  readonly then?: WholeText | undefined
}

/** Turns a body for a member of a class into its stored form; throws a problem that names every violation. */
export interface Input {
  /** JSON-LD in the terms of this API. Relative addresses are relative to `target`. */
  toOwnTerms(sent: JsonObject, target: string, sender?: { readonly userId: number }): Awaitable<JsonObject>
  /** `now`, and the id of the `creator`: for defaults. */
  create(sent: JsonObject, id: string, now: number, options?: Creation): NewMember
  replace(sent: JsonObject, current: Current, now: number, options?: ReplaceOptions): MemberContent
  /** RFC 7396: replaces the member by its representation with the patch applied. */
  update(
    patch: JsonObject,
    current: Current,
    now: number,
    options?: Pick<ReplaceOptions, 'writer' | 'references'>,
  ): MemberContent
  /** For members that are removed. Everything else stays as it is, even if it is no longer valid. */
  withoutLinks(
    current: Current,
    isGone: (target: MemberName) => boolean,
    now: number,
    writer: ReplaceOptions['writer'],
  ): MemberContent
}

/** `cls`: as the users see it. `view`: where they do not see or write everything. */
export function createInput(
  cls: Class,
  base: string,
  expandBody = createExpandBody(),
  view?: WriterView,
): Input {
  const written = view === undefined ? cls : writtenClass(cls, view)
  const stored = view?.stored ?? cls
  const readProperties = createReadProperties(written, base, false, cls)
  const validate = createValidate(written)
  const addUnseen = view && createAddUnseen(view)
  const addressFor = addressOf(cls, base)
  const collection = base + pathTo(cls.collection ?? cls.name)
  const isOwnContext = createIsOwnContext(cls, base)
  const toOwnTerms = createToOwnTerms(cls, base, expandBody)

  function write(
    sent: JsonObject,
    where: Omit<Submission, 'violations' | 'target'>,
    former?: { readonly values: MemberValues; readonly hidden: string },
    shownFormer = former?.values,
  ): MemberContent {
    const violations = new Violations()
    const submission = { ...where, target: where.address ?? collection, violations }
    const values = readProperties(sent, '', submission)
    validate(values, { former: shownFormer, path: '' }, submission)
    if (violations.all.length > 0) {
      // A link that the member has already may stay, even if the user may not read its target.
      const known = new Set(former && linksOf(written, former.values).map(linkName))
      const links = linksOf(written, values).filter((link) => !known.has(linkName(link)))
      throw new InvalidBody(violations.all, values, links)
    }
    addUnseen?.(values, former?.values, { ...submission, sent })
    const hidden = former === undefined ? '' : keepHidden(stored, former.hidden, values, former.values)
    const content = writeMember(stored, values, hidden)
    requireFewWords(content.keys.words, where.userView ?? view)
    return content
  }

  const replace: Input['replace'] = (sent, { id, body, hidden }, now, options = {}) => {
    const { kind = 'whole', references, writer, updated, userView, then } = options
    const leaves = updated && ((path: string) => isMissingIn(updated, path))
    const where = { address: addressFor(id), kind, now, userId: writer?.userId, references, leaves, userView }
    const values = readText(body)
    const shown = then === undefined ? values : valuesThen(then, values, view?.readOnly)
    return write(sent, where, { values, hidden }, shown)
  }

  return {
    toOwnTerms(sent, target, sender) {
      const { '@context': context } = sent
      const isOwn = context === undefined || isOwnContext(context)
      if (isOwn && isInOwnTerms(sent, '@context')) return sent
      return toOwnTerms({ sent, target, isOwn, user: String(sender?.userId) })
    },
    create(sent, id, now, options = {}) {
      const { address, creator, kind = 'whole', references, userView, repeated } = options
      const where = { address, kind, now, userId: creator?.userId, references, userView, isCreation: true }
      const shown = repeated && repeatedIn(sent, repeated, view?.readOnly)
      return { id, owner: creator?.number, ...write(sent, where, undefined, shown) }
    },
    replace,
    update(patch, current, now, options = {}) {
      const { id, body, hidden } = current
      const { writer, references } = options
      const represented = requestBodyOf(current, base)
      for (const name of view?.hidden ?? []) delete represented[name]
      const merged = mergePatch(represented, withUsualTags(written, patch))
      const leaves = (path: string) => !isMentioned(patch, path)
      const userId = writer?.userId
      const where = { address: addressFor(id), kind: 'patch', now, userId, references, leaves } as const
      return write(merged, where, { values: readText(body), hidden })
    },
    withoutLinks({ body, hidden }, isGone, now, writer) {
      const values = withoutLinks(stored, readText(body), isGone)
      // No embedded value goes, so that each keeps its hidden values.
      return writeMember(stored, withAlways(stored, values, { now, userId: writer?.userId }), hidden)
    },
  }
}

/** Whether a body is in the API's own terms, as nearly all are, and needs no JSON-LD processor. `known`: an allowed keyword. */
function isInOwnTerms(value: JsonValue, known?: string): boolean {
  if (Array.isArray(value)) return value.every((one) => isInOwnTerms(one))
  if (!isObject(value)) return true
  // Not Object.entries, which would copy the body of every request.
  for (const name in value) {
    if (name === known) continue
    if (name.includes(':') || (name.startsWith('@') && name !== '@id' && name !== '@type')) return false
    if (!isInOwnTerms(value[name] as JsonValue)) return false
  }
  return true
}

/** Each word is an index entry: the 150,000 of a full megabyte would hold up other writers. A novel has 20,000. */
const MAX_WORDS = 20_000

/** Words that the user may not see are not counted: the problem would tell how many they are. */
function requireFewWords(words: readonly string[], view: Pick<UserView, 'hidden'> | undefined): void {
  if (words.length <= MAX_WORDS) return
  const hidden = [...(view?.hidden ?? [])].map(wordStart)
  const count = words.filter((word) => !hidden.some((start) => word.startsWith(start))).length
  if (count <= MAX_WORDS) return
  throw validationFailed(inputProblem('TooManyWords', { maxWords: MAX_WORDS, count }))
}

/**
 * A patch with its language tags in the spelling of stored ones: tags are equal regardless of case (RFC 5646 §2.1.1), but
 * a merge patch compares keys letter by letter, so that `en-gb` would not remove or replace `en-GB`.
 */
function withUsualTags({ properties }: Class, patch: JsonObject): JsonObject {
  const spelt: JsonObject = Object.assign(Object.create(null), patch)
  for (const { name, range } of properties) {
    const value = spelt[name]
    if (value === undefined || !isObject(value)) continue
    if (range.kind === 'embedded') spelt[name] = withUsualTags(range.cls, value)
    else if (range.kind === 'datatype' && range.datatype === 'langString') spelt[name] = respell(value)
  }
  return spelt
}

/** If two tags are the same, both stay as they are, so that the later reading reports the duplicate. */
function respell(texts: JsonObject): JsonObject {
  const spelt: JsonObject = Object.create(null)
  for (const [tag, text] of Object.entries(texts)) {
    const usual = usualSpelling(tag)
    if (usual in spelt) return texts
    spelt[usual] = text
  }
  return spelt
}

/** Whether a merge patch writes the value at this path: names it, or replaces what it is in. */
function isMentioned(patch: JsonObject, path: string): boolean {
  let within: JsonValue = patch
  for (const name of path.split('/')) {
    if (!isObject(within)) return true
    const inner: JsonValue | undefined = Object.hasOwn(within, name) ? within[name] : undefined
    if (inner === undefined) return false
    within = inner
  }
  return true
}

/** Whether a member has no value at this path, or a blank text. */
function isMissingIn({ body }: MemberContent, path: string): boolean {
  const value = path
    .split('/')
    .reduce<unknown>((within, name) => ownOf((within ?? {}) as MemberValues, name), readText(body))
  if (value === undefined || (Array.isArray(value) && value.length === 0)) return true
  const texts = typeof value === 'object' ? Object.values(value as object) : [value]
  return texts.some((text) => typeof text === 'string' && text.trim() === '')
}

/** RFC 7396 §2, except that null stays, which tells a removed value from one that was not mentioned. */
export function mergePatch(target: JsonObject, patch: JsonObject): JsonObject {
  const merged: JsonObject = Object.assign(Object.create(null), target)
  for (const [name, value] of Object.entries(patch)) {
    const former: JsonValue = merged[name] ?? null
    merged[name] = isObject(value) && isObject(former) ? mergePatch(former, value) : value
  }
  return merged
}
