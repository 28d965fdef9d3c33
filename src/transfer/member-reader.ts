import { hash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import {
  type Creator,
  createExpandBody,
  createInput,
  createIsOwnContext,
  createMemberRepresentation,
  type ExpandBody,
  type Hooks,
  toProcessor,
} from '../api/index.ts'
import { isObject, type JsonObject, type JsonValue, readJson } from '../json.ts'
import type { Values } from '../members/index.ts'
import { FIRST_MEMBER, type MemberStore, type NewMember } from '../store/index.ts'
import {
  type Class,
  contextAddress,
  hasCollection,
  type Model,
  memberContext,
  storedClasses,
} from '../vocabulary/index.ts'
import { documentContext } from './json-ld.ts'
import { type Addresses, type Identity, KEYWORDS, RELATIVE, renameKeys, setLinkPaths } from './name-lookup.ts'
import type { MemberText } from './ndjson.ts'
import { importProblem } from './problems.ts'

/** A member of the data, checked and ready to be stored. */
export interface ReadMember {
  readonly text: MemberText
  readonly cls: Class
  readonly id: string
  /** Whether the id comes from the file and the position in it, since the data gives none. */
  readonly isDerived: boolean
  readonly member: NewMember
  /** Whether constraints do not matter. */
  readonly asStored: boolean
  /** Runs the hooks that follow the write. */
  afterWrite(): void
  /** Without these properties. */
  without(properties: ReadonlySet<string>): NewMember
  /** The member with the stored time and user of its creation, where the data has none. */
  keeping(stored: Values): NewMember
}

/** Throws a problem for a text that is not a member. */
export type ReadMemberText = (text: MemberText) => Promise<ReadMember>

export interface ReaderParts {
  readonly model: Model
  readonly store: MemberStore
  /** Absolute addresses of members begin with it. */
  readonly base: string
  /** Who owns what is added; absent for nobody. */
  readonly owner?: Creator | undefined
  /** Members that break constraints are taken as they are, and no default is added. */
  readonly asStored?: boolean | undefined
  /** The hooks of a program, run for each member. */
  readonly hooks?: Hooks | undefined
  /** The file's name without its folder: ids are derived from it. */
  readonly file: string
  readonly now: () => number
}

export function createMemberReader(
  { model, store, base, owner, asStored, hooks, file, now }: ReaderParts,
  addresses: Addresses,
): ReadMemberText {
  const expandBody = createExpandBody()
  const readers = new Map(
    storedClasses(model).map((cls) => [cls.name, createClassReader(cls, { base, hooks, expandBody })]),
  )
  const contexts = model.classes.map(
    (cls) => [contextAddress(cls.name, base), memberContext(cls, base)] as const,
  )
  const isOwn = createIsDocumentContext(model, base)
  const derivedId = createDerivedId(file)

  return async (text) => {
    const sent = readJson(text.text)
    if (!isObject(sent)) throw importProblem('NotAnObject')
    const context = contextFor(sent, isOwn(text.context) ? undefined : text.context)
    delete sent['@context']
    if (context === undefined) {
      const identity = addresses.identify(sent['@type'], sent['@id'])
      renameKeys(sent, identity.cls)
      return readAs(identity, text, sent)
    }
    sent['@context'] = context
    return readAs(await findIdentity(sent), text, sent)
  }

  /** The context of a member; undefined where its keys are the API's own terms. */
  function contextFor(sent: JsonObject, around: JsonValue | undefined): JsonValue | undefined {
    const { '@context': own, '@type': type } = sent
    if (own === undefined) return around
    if (around !== undefined) return [around, own].flat()
    const reader = typeof type === 'string' ? readers.get(type) : undefined
    return reader?.isOwnContext(own) ? undefined : own
  }

  /** The class and the id of a node whose keys have to be understood first. */
  async function findIdentity(node: JsonObject): Promise<Identity> {
    const { document } = toProcessor(node)
    const { nodes } = await expandBody(
      { document, base: RELATIVE, context: undefined, contexts, knowsBundled: false },
      '',
    )
    const [only, ...others] = nodes
    if (only === undefined || others.length > 0) throw importProblem('NotOneNode')
    return addresses.identify(only['@type'] as JsonValue | undefined, only['@id'] as JsonValue | undefined)
  }

  async function readAs({ cls, id }: Identity, text: MemberText, sent: JsonObject): Promise<ReadMember> {
    const { input, hooks, setAtCreation } = readers.get(cls.name) as ClassReader
    delete sent['@id']
    let values = await input.toOwnTerms(sent, RELATIVE)
    removeKeywords(values)
    setLinkPaths(values, cls, addresses.absolute)
    const asked = addresses.idIn(values, cls, id)
    // A single resource that is there may have the former name of its class as its id.
    const single = hasCollection(cls) ? undefined : (await store.list(cls.name, FIRST_MEMBER)).members[0]
    const given = single?.id ?? asked ?? derivedId(text.position, text.text)
    const kind = asStored ? 'stored' : 'restored'
    const restore = (sent: JsonObject): NewMember =>
      input.create(sent, given, now(), { creator: owner, kind })
    let member = restore(values)
    const about = { operation: 'create', principal: undefined } as const
    const returned = await hooks?.beforeWrite({ ...about, member })
    if (returned !== undefined) {
      removeKeywords(returned)
      values = returned
      member = restore(values)
    }
    return {
      text,
      cls,
      id: given,
      isDerived: asked === undefined,
      member,
      asStored: asStored === true,
      afterWrite: () => hooks?.afterWrite({ ...about, member }),
      without: (properties) => restore(copy(values, (name) => !properties.has(name))),
      keeping(stored) {
        const kept = copy(stored as JsonObject, (name) => setAtCreation.has(name) && !(name in values))
        if (Object.keys(kept).length === 0) return member
        // A number is to have its digits, as in the data.
        return restore(Object.assign(readJson(JSON.stringify(kept)) as JsonObject, values))
      },
    }
  }
}

function removeKeywords(values: JsonObject): void {
  for (const keyword of KEYWORDS) delete values[keyword]
}

type ClassReader = ReturnType<typeof createClassReader>

const createClassReader = (
  cls: Class,
  { base, hooks, expandBody }: Pick<ReaderParts, 'base' | 'hooks'> & { readonly expandBody: ExpandBody },
) => ({
  input: createInput(cls, base, expandBody),
  hooks: hooks?.of(cls, createMemberRepresentation(cls, base).within),
  isOwnContext: createIsOwnContext(cls, base),
  /** The properties whose default is the time of the creation, or its user. */
  setAtCreation: new Set(
    cls.properties
      .filter(({ default: given }) => given !== undefined && given.kind !== 'value')
      .map(({ name }) => name),
  ),
})

/** Without a prototype: a property may be called `constructor`. */
function copy(values: JsonObject, isWanted: (name: string) => boolean): JsonObject {
  const copied: JsonObject = Object.create(null)
  for (const [name, value] of Object.entries(values)) if (isWanted(name)) copied[name] = value
  return copied
}

/** Whether a document has the context of an export: its members then need no JSON-LD processor. */
function createIsDocumentContext(model: Model, base: string): (context: JsonValue | undefined) => boolean {
  const own = readJson(JSON.stringify(documentContext(model, base)))
  let last: JsonValue | undefined
  let isLastOwn = false
  return (context) => {
    // All members of a document share one.
    if (context !== last) isLastOwn = isDeepStrictEqual(context, own)
    last = context
    return isLastOwn
  }
}

/**
 * Ids for members without one. The same file gives the same ids, so that a second import adds nothing twice. They are
 * UUIDs of version 8 (RFC 9562 §5.8): zeros, which no nonce begins with, 16 bits for the name of the file, 36 for the
 * position in it, and 62 over both and the text. So they ascend with the file, which databases insert several times as fast as random ones.
 */
export function createDerivedId(file: string): (position: number, text: string) => string {
  const name = hash('sha256', file, 'hex').slice(0, 4)
  return (position, text) => {
    const digits = position.toString(16).padStart(9, '0')
    const digest = hash('sha256', `${file}\n${position}\n${text}`, 'hex')
    const variant = '89ab'[Number.parseInt(digest.slice(0, 1), 16) % 4]
    return [
      `00${name}${digits.slice(0, 2)}`,
      digits.slice(2, 6),
      `8${digits.slice(6)}`,
      variant + digest.slice(1, 4),
      digest.slice(4, 16),
    ].join('-')
  }
}
