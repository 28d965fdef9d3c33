import { isDeepStrictEqual } from 'node:util'
import {
  type Creator,
  createExpandBody,
  createInput,
  createIsOwnContext,
  createMemberRepresentation,
  type ExpandBody,
  type HooksOfClass,
  type Input,
  type ProgramHooks,
  toProcessor,
} from '../api/index.ts'
import { isObject, type JsonObject, type JsonValue, readJson } from '../json.ts'
import { FIRST_MEMBER, type MemberStore, type MemberValues, type NewMember } from '../members/index.ts'
import {
  type Class,
  contextAddress,
  hasCollection,
  type Model,
  memberContext,
  storedClasses,
} from '../vocabulary/index.ts'
import { NO_OPEN_LINKS, type OpenLinks, type UniqueLinks } from './csv/unique-links.ts'
import { createDerivedId } from './derived-id.ts'
import {
  createAccountReader,
  type FindUserId,
  type IdentityReader,
  type MemberIdentity,
  RELATIVE,
  takeId,
} from './identity.ts'
import { documentContext } from './json-ld.ts'
import { KEYWORDS, renameKeys, setLinkPaths } from './name-lookup.ts'
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
  /** Whether constraints are ignored. */
  readonly asStored: boolean
  readonly openLinks: OpenLinks
  /** Runs the hooks that follow the write. */
  afterWrite(): void
  /** The member without these properties. */
  without(properties: ReadonlySet<string>): NewMember
  /** The member with the stored time and user of its creation, if the data has none. */
  keeping(stored: MemberValues): NewMember
}

/** Throws a problem for a text that is not a member. */
export type ReadMemberText = (text: MemberText) => Promise<ReadMember>

export interface MemberReaderDependencies {
  readonly model: Model
  readonly store: MemberStore
  /** The beginning of absolute addresses of members. */
  readonly base: string
  /** The users by name, for links to accounts; absent if there are none. */
  readonly findUserId?: FindUserId | undefined
  /** The owner of the members that are added; absent for none. */
  readonly owner?: Creator | undefined
  /** Whether members that break constraints are accepted, and no defaults are added. */
  readonly asStored?: boolean | undefined
  /** Links by unique values; absent where the data has none. */
  readonly uniqueLinks?: UniqueLinks | undefined
  /** The hooks of a program, run for each member. */
  readonly hooks?: ProgramHooks | undefined
  /** The file's name without its folder: ids are derived from it. */
  readonly file: string
  readonly now: () => number
}

export function createMemberReader(
  dependencies: MemberReaderDependencies,
  addresses: IdentityReader,
): ReadMemberText {
  const { model, base, hooks } = dependencies
  const expandBody = createExpandBody()
  const readers = new Map(
    storedClasses(model).map((cls) => [cls.name, createClassReader(cls, { base, hooks, expandBody })]),
  )
  const contexts = model.classes.map(
    (cls) => [contextAddress(cls.name, base), memberContext(cls, base)] as const,
  )
  const isOwn = createIsDocumentContext(model, base)
  const readNode = createNodeReader(dependencies, addresses)

  return async (text) => {
    const sent = readJson(text.text)
    if (!isObject(sent)) throw importProblem('NotAnObject')
    const context = contextFor(sent, isOwn(text.context) ? undefined : text.context)
    delete sent['@context']
    if (context === undefined) {
      const identity = addresses.identify(sent['@type'], sent['@id'])
      renameKeys(sent, identity.cls)
      return readNode(readerOf(identity), identity, text, sent)
    }
    sent['@context'] = context
    const identity = await findIdentity(sent)
    return readNode(readerOf(identity), identity, text, sent)
  }

  /** The context of a member; undefined if its keys are the API's own terms. */
  function contextFor(sent: JsonObject, around: JsonValue | undefined): JsonValue | undefined {
    const { '@context': own, '@type': type } = sent
    if (own === undefined) return around
    if (around !== undefined) return [around, own].flat()
    const reader = typeof type === 'string' ? readers.get(type) : undefined
    return reader?.isOwnContext(own) ? undefined : own
  }

  /** The class and the id of a node whose keys have to be expanded first. */
  async function findIdentity(node: JsonObject): Promise<MemberIdentity> {
    const { document } = toProcessor(node)
    const { nodes } = await expandBody(
      { document, base: RELATIVE, context: undefined, contexts, knowsBundled: false },
      '',
    )
    const [only, ...others] = nodes
    if (only === undefined || others.length > 0) throw importProblem('NotOneNode')
    return addresses.identify(only['@type'] as JsonValue | undefined, only['@id'] as JsonValue | undefined)
  }

  function readerOf({ cls }: MemberIdentity): ClassReader {
    return readers.get(cls.name) as ClassReader
  }
}

type ReadNode = (
  reader: ClassReader,
  identity: MemberIdentity,
  text: MemberText,
  sent: JsonObject,
) => Promise<ReadMember>

/** Reads a node whose class is known. */
function createNodeReader(
  {
    store,
    owner,
    asStored = false,
    uniqueLinks,
    file,
    now,
    findUserId = () => undefined,
  }: MemberReaderDependencies,
  { absolute }: IdentityReader,
): ReadNode {
  const links = { absolute, account: createAccountReader(absolute, findUserId) }
  const derivedId = createDerivedId(file)
  const kind = asStored ? 'stored' : 'restored'

  return async ({ input, hooks, setAtCreation }, { cls, id: addressed }, text, sent) => {
    delete sent['@id']
    let values = await input.toOwnTerms(sent, RELATIVE)
    removeKeywords(values)
    const openLinks = (await uniqueLinks?.resolve(values, cls)) ?? NO_OPEN_LINKS
    setLinkPaths(values, cls, links)
    const asked = takeId(values, cls, addressed)
    // An existing single resource may have the former name of its class as its id.
    const single = hasCollection(cls) ? undefined : (await store.list(cls.name, FIRST_MEMBER)).members[0]
    const id = single?.id ?? asked ?? derivedId(text.position, text.text)
    const restore = (values: JsonObject): NewMember =>
      input.create(values, id, now(), { creator: owner, kind })
    let member = restore(values)
    const about = { operation: 'create', principal: undefined } as const
    const returned = await hooks?.beforeWrite({ ...about, member })
    if (returned !== undefined) {
      removeKeywords(returned)
      values = returned
      member = restore(values)
    }
    uniqueLinks?.note(cls, id, values)
    return {
      ...{ text, cls, id, isDerived: asked === undefined, member, asStored, openLinks },
      afterWrite: () => hooks?.afterWrite({ ...about, member }),
      without: (properties) => restore(copy(values, (name) => !properties.has(name))),
      keeping(stored) {
        const kept = copy(stored as JsonObject, (name) => setAtCreation.has(name) && !(name in values))
        if (Object.keys(kept).length === 0) return member
        // Read as JSON again, so that numbers have their digits, as in the data.
        return restore(Object.assign(readJson(JSON.stringify(kept)) as JsonObject, values))
      },
    }
  }
}

function removeKeywords(values: JsonObject): void {
  for (const keyword of KEYWORDS) delete values[keyword]
}

/** Reads the members of one class. */
interface ClassReader {
  readonly input: Input
  readonly hooks: HooksOfClass | undefined
  readonly isOwnContext: (context: JsonValue) => boolean
  /** The properties whose default is the time of the creation, or its user. */
  readonly setAtCreation: ReadonlySet<string>
}

const createClassReader = (
  cls: Class,
  {
    base,
    hooks,
    expandBody,
  }: Pick<MemberReaderDependencies, 'base' | 'hooks'> & { readonly expandBody: ExpandBody },
): ClassReader => ({
  input: createInput(cls, base, expandBody),
  hooks: hooks?.of(cls, createMemberRepresentation(cls, base).within),
  isOwnContext: createIsOwnContext(cls, base),
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
