import { createMemberRepresentation } from '../api/index.ts'
import type { Change, HistoryEntry, HistoryStore, ImportedEntry, MemberName } from '../members/index.ts'
import { AS, type Class, HISTORY, XSD } from '../vocabulary/index.ts'
import { storedPart } from './json-ld.ts'
import type { ReadMemberText } from './member-reader.ts'
import type { MemberText } from './ndjson.ts'
import { importProblem } from './problems.ts'

// Entries of histories in bulk data: one line each, before the line of their member. Their keys are IRIs, so that they mean
// the same in any context, and the member as it was comes last.

const TYPES = { create: 'Create', update: 'Update', delete: 'Delete' } as const
const KINDS = new Map(Object.entries(TYPES).map(([kind, type]) => [AS + type, kind as Change['kind']]))
const [PUBLISHED, ACTOR, OBJECT] = [`${AS}published`, `${AS}actor`, `"${AS}object":`]

/** How many versions are read at once. */
const AT_ONCE = 1_000

/** The versions of a member, oldest first. */
async function versionsOf(history: HistoryStore, member: MemberName): Promise<number[]> {
  const versions: number[] = []
  for (;;) {
    const heads = await history.heads(member, { before: versions.at(-1), limit: AT_ONCE })
    versions.push(...heads.map(({ version }) => version))
    if (heads.length < AT_ONCE) return versions.reverse()
  }
}

/** The entries of members as lines. `accountOf`: the address of the account of a user. */
export function createEntryLines(
  cls: Class,
  base: string,
  {
    history,
    accountOf,
  }: { readonly history: HistoryStore; readonly accountOf: (user: number) => string | undefined },
) {
  const { within, address } = createMemberRepresentation(storedPart(cls), base)
  const lineOf = (entry: HistoryEntry): string => {
    const actor = entry.actor === undefined ? undefined : accountOf(entry.actor)
    const head = JSON.stringify({
      '@id': `${address(entry.id)}/${HISTORY}/${entry.version}`,
      '@type': AS + TYPES[entry.kind],
      [PUBLISHED]: { '@type': `${XSD}dateTime`, '@value': new Date(entry.at).toISOString() },
      ...(actor !== undefined && { [ACTOR]: { '@id': actor } }),
    })
    return `${head.slice(0, -1)},${OBJECT}${within(entry)}}`
  }

  /** Oldest first. */
  async function* linesOf(id: string): AsyncGenerator<string> {
    const name = { className: cls.name, id }
    for (const version of await versionsOf(history, name)) {
      const entry = await history.find(name, version)
      if (entry !== undefined) yield lineOf(entry)
    }
  }

  return {
    linesOf,
    /** Those of members that are gone. */
    async *linesOfRemoved(): AsyncGenerator<string> {
      let before: number | undefined
      for (;;) {
        const removed = await history.removed(cls.name, { before, limit: AT_ONCE }, MAX_BYTES)
        for (const { id } of removed) yield* linesOf(id)
        if (removed.length === 0) return
        before = removed.at(-1)?.version
      }
    },
  }
}

const MAX_BYTES = 8 * 1024 * 1024

export const isEntryText = (text: string): boolean => text.includes(OBJECT)

/** An entry of the data, with its class. */
export interface ReadEntry {
  readonly cls: Class
  readonly entry: ImportedEntry
}

/** `readMember`: takes members as they are. `userOf`: the number of the user with this id. */
export function createEntryReader(
  readMember: ReadMemberText,
  userOf: (id: number) => number | undefined,
): (text: MemberText) => Promise<ReadEntry> {
  return async (found) => {
    const at = found.text.indexOf(OBJECT)
    const head = readHead(`${found.text.slice(0, at)}"end":0}`)
    const object = found.text
      .slice(at + OBJECT.length)
      .trimEnd()
      .slice(0, -1)
    const { cls, id, member } = await readMember({ ...found, text: object })
    if (cls.history === undefined) throw importProblem('NoHistoryKept', { className: cls.name })
    const { body, baseUrlOffsets, hidden, owner } = member
    const { kind, at: time, user } = head
    const actor = user === undefined ? undefined : userOf(user)
    return { cls, entry: { id, owner, body, baseUrlOffsets, hidden, kind, at: time, actor } }
  }
}

function readHead(text: string) {
  const { '@type': type, [PUBLISHED]: published, [ACTOR]: actor } = parsed(text)
  const kind = KINDS.get(String(type))
  const at = Date.parse(String((published as Record<string, unknown> | undefined)?.['@value']))
  if (kind === undefined || Number.isNaN(at)) throw importProblem('NotAnEntry')
  const [, user] =
    /\/([1-9][0-9]{0,15})$/.exec(String((actor as Record<string, unknown> | undefined)?.['@id'])) ?? []
  return { kind, at, user: user === undefined ? undefined : Number(user) }
}

function parsed(text: string): Record<string, unknown> {
  try {
    return JSON.parse(text) as Record<string, unknown>
  } catch {
    throw importProblem('NotAnEntry')
  }
}
