import type { Principal } from '../auth/index.ts'
import { addressOf, idOf, type MemberStore, type MemberValues, ownOf, readText } from '../members/index.ts'
import type { Class, Model, Property } from '../vocabulary/index.ts'
import type { Access } from './access/access.ts'
import type { Labels } from './problems/still-linked.ts'

interface LabelDependencies {
  readonly model: Model
  readonly store: Pick<MemberStore, 'find'>
  readonly access: Pick<Access, 'mayReadOf'>
}

/** Longer values are shortened: a label stands within a sentence. */
const LONGEST = 60

/**
 * What names a member to people (asking.md, Labels): the values of its label, joined by a blank. A link stands for the label
 * of its target, one step deep; a target that the user may not read has none. Undefined where nothing names it.
 */
async function findLabel(
  cls: Class,
  body: string,
  principal: Principal | undefined,
  { model, store, access }: LabelDependencies,
): Promise<string | undefined> {
  const values = readText(body)
  const parts: string[] = []
  for (const property of labelProperties(cls)) {
    const value = ownOf(values, property.name)
    if (value === undefined) continue
    if (property.range.kind !== 'link') parts.push(literalLabel(value))
    else parts.push(await targetLabel(property.range.className, String(value)))
  }
  return parts.filter(Boolean).join(' ') || undefined

  async function targetLabel(className: string, path: string): Promise<string> {
    const target = model.classes.find(({ name }) => name === className)
    const found = await store.find(className, idOf(path))
    if (
      target === undefined ||
      found === undefined ||
      !(await access.mayReadOf({ className, ...found }, principal))
    )
      return ''
    return ownLabel(target, readText(found.body))
  }
}

/** How many members a sentence names. */
export const MAX_NAMED = 10

/** The labels of the first of these members, by their addresses; members without a label are left out. */
export async function findLabels(
  members: readonly { readonly cls: Class; readonly id: string }[],
  principal: Principal | undefined,
  dependencies: LabelDependencies & { readonly base: string },
): Promise<Labels> {
  const labels: [address: string, label: string][] = []
  for (const { cls, id } of members.slice(0, MAX_NAMED)) {
    const found = await dependencies.store.find(cls.name, id)
    const label = found && (await findLabel(cls, found.body, principal, dependencies))
    if (label !== undefined) labels.push([addressOf(cls, dependencies.base)(id), label])
  }
  return Object.fromEntries(labels)
}

const labelProperties = ({ label, properties }: Class): Property[] =>
  label.flatMap((name) => properties.find((property) => property.name === name) ?? [])

const ownLabel = (cls: Class, values: MemberValues): string =>
  labelProperties(cls)
    .filter(({ range }) => range.kind !== 'link')
    .flatMap(({ name }) => ownOf(values, name) ?? [])
    .map(literalLabel)
    .join(' ')

/** Of texts by language: the English one, else the first. */
function literalLabel(value: unknown): string {
  const texts = value as Readonly<Record<string, string>>
  const text = typeof value === 'object' ? (texts.en ?? Object.values(texts)[0] ?? '') : String(value)
  // Half of a character at the end is left out.
  return text.length > LONGEST ? `${text.slice(0, LONGEST).replace(/[\ud800-\udbff]$/, '')}…` : text
}
