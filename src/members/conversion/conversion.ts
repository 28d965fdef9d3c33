import { hash } from 'node:crypto'
import { atProperty, type ProblemData } from '../../problem.ts'
import {
  type Class,
  compileValidator,
  fillingDefaults,
  followedLinks,
  hasCollection,
  hasOwnWords,
  isAccount,
  isListedByOwner,
  keyShapes,
  listedByLinks,
  type Model,
  type Property,
  searchedProperties,
  storedClasses,
  topProperty,
} from '../../vocabulary/index.ts'
import { describedOf } from '../described.ts'
import type { ClassSchema, PropertyTypes, RenamedProperty } from '../index.ts'
import { addressOf, listOf, type MemberValues, readText } from '../stored-text.ts'
import { MemberConversion } from './member-conversion.ts'

/** The classes of an API file, as a store knows them. */
export function classSchemas(model: Model): ClassSchema[] {
  const classes = storedClasses(model)
  const renamed = classes.flatMap(({ name, formerName }) =>
    formerName === undefined ? [] : [name, formerName],
  )
  const followed = followedLinks(model)
  return classes.map((cls) => ({
    name: cls.name,
    was: cls.formerName,
    fingerprint: fingerprintOf(cls, renamed),
    keys: keyShapes(cls),
    defaults: fillingDefaults(cls),
    hasWords: searchedProperties(cls).length > 0,
    isListedByOwner: isListedByOwner(model.access, cls.name),
    listedByLinks: listedByLinks(model.access, cls.name),
    isLogged: !isAccount(cls),
    followed: followed.get(cls.name) ?? [],
    history: cls.history,
    types: typesOf(cls),
    renamed: renamedIn(cls),
    searched: searchedProperties(cls).map((one) => (hasOwnWords(one) ? `${one.name}*` : one.name)),
    isSingle: !hasCollection(cls),
    properties: new Map(cls.properties.map(({ name, formerName }) => [name, formerName])),
    described: describedOf(cls, model),
    addressOf: (id) => addressOf(cls, '')(id),
    convert: (stored, links, filling) => new MemberConversion(stored, links, { filling }).to(cls),
    convertEntry: (stored, links) => new MemberConversion(stored, links, { isLenient: true }).contentAs(cls),
    violationsOf: createViolationsOf(cls),
  }))
}

function typesOf(cls: Class, found: Record<string, Record<string, string>> = {}): PropertyTypes {
  found[cls.name] = Object.fromEntries(cls.properties.map((one) => [one.name, typeOf(one)]))
  for (const { range } of cls.properties) if (range.kind === 'embedded') typesOf(range.cls, found)
  return found
}

const renamedIn = (cls: Class): RenamedProperty[] =>
  cls.properties.flatMap(({ name: property, formerName, range }) => [
    ...(formerName === undefined || formerName === property
      ? []
      : [{ className: cls.name, property, former: formerName }]),
    ...(range.kind === 'embedded' ? renamedIn(range.cls) : []),
  ])

/** A link is stored with the path of its collection. */
function typeOf({ range, many }: Property): string {
  const times = many ? 'many ' : ''
  if (range.kind === 'datatype') return times + range.datatype
  return `${times}${range.kind} ${range.kind === 'link' ? `${range.className} ${range.collection}` : range.cls.name}`
}

/** Checks only values that a client can write, since it could not correct others. */
function createViolationsOf(cls: Class): ClassSchema['violationsOf'] {
  const find = createFind(cls)
  return (body) => find(readText(body), '')
}

function createFind(cls: Class): (values: MemberValues, path: string) => ProblemData[] {
  const validate = compileValidator(cls)
  const writable = new Map(cls.properties.filter((one) => one.writable).map((one) => [one.name, one]))
  const embedded = cls.properties.flatMap((property) =>
    property.range.kind === 'embedded' && property.writable
      ? [{ property, find: createFind(property.range.cls) }]
      : [],
  )
  return (values, path) => [
    ...validate(values).flatMap((problem) => {
      const { property = '' } = problem.at
      const of = writable.get(topProperty(property))
      // The next PUT fills in a default.
      const isFilled = problem.code === 'RequiredValue' && of?.default !== undefined
      return of === undefined || isFilled ? [] : [atProperty(problem, path + property)]
    }),
    ...embedded.flatMap(({ property, find }) =>
      listOf(values, property).flatMap((value) => find(value as MemberValues, `${path}${property.name}/`)),
    ),
  ]
}

/**
 * Depends on all renamed classes: hidden links in members of any class may name one of them. And on whether there is a
 * history: a process with a file that keeps none must not write to a class that keeps one.
 */
function fingerprintOf({ fingerprint, history }: Class, renamed: readonly string[]): number {
  if (renamed.length === 0 && history === undefined) return fingerprint
  const parts = [fingerprint, renamed, ...(history === undefined ? [] : ['history'])]
  return hash('sha256', JSON.stringify(parts), 'buffer').readUIntBE(0, 6)
}
