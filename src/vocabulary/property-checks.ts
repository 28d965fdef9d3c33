import { datatypeOf } from './datatypes.ts'
import { type Class, hasCollection, type Property } from './model.ts'
import { isPropertyName, spellingOf } from './names.ts'
import { RDF } from './namespaces.ts'

export interface PropertyConflict {
  readonly className: string
  readonly property: string
  readonly about: string
  readonly message: string
}

/** As terms of a context these make the reference processor throw, and what is served must be right as RDF too. */
const UNPROCESSABLE = ['__proto__', 'hasOwnProperty']

type Found = Omit<PropertyConflict, 'className' | 'property'> | undefined

/** What cannot be served of the properties of a class: their names, and what contradicts itself. */
export function findPropertyConflicts(cls: Class): PropertyConflict[] {
  return cls.properties.flatMap((property, index) =>
    [
      checkName(property, cls),
      checkIri(property, cls, index),
      checkScheme(property, cls),
      checkFormerName(property, cls),
      checkMany(property),
      checkUnique(property, cls),
      checkFilterable(property, cls),
    ]
      .filter((conflict) => conflict !== undefined)
      .map((conflict) => ({ className: cls.name, property: property.name, ...conflict })),
  )
}

function checkName({ name }: Property, { properties }: Class): Found {
  const wrong = problemWithName(name)
  if (wrong !== undefined) return { about: 'name', message: wrong }
  if (properties.filter((other) => other.name === name).length === 1) return undefined
  return { about: 'name', message: `there are two properties "${name}"; rename one of them` }
}

/** Why a property cannot be called so; undefined where it can. */
export function problemWithName(name: string): string | undefined {
  const wrong = `"${name}" cannot be the name of a property`
  if (name.startsWith('@')) return `${wrong}: "@" begins the keywords of JSON-LD; choose another`
  if (UNPROCESSABLE.includes(name))
    return `${wrong}: JSON-LD processors in JavaScript fail on it; choose another`
  if (isPropertyName(name)) return undefined
  const right = 'it must be letters, digits, "_" and "-", and not begin with a digit or "-"'
  return `${wrong}; ${spellingOf(name) ?? right}`
}

/** What is sent as linked data names properties by IRI, so within a class an IRI must name one. */
function checkIri({ name, iri }: Property, { properties }: Class, index: number): Found {
  if (iri === `${RDF}type`)
    return { about: 'iri', message: `the iri of "${name}" is that of "@type" in JSON-LD; choose another` }
  const same = properties.slice(0, index).find((other) => iri !== undefined && other.iri === iri)
  if (same === undefined) return undefined
  const right = 'each property of a class needs its own'
  return { about: 'iri', message: `"${name}" has the same iri as "${same.name}"; ${right}` }
}

/** JSON-LD 1.1 §4.2.2: a context in which a term is defined by itself, as a prefix, is an error. */
function checkScheme({ name, iri = '' }: Property, { properties }: Class): Found {
  const scheme = /^([^:]+):(?!\/\/)/.exec(iri)?.[1]
  if (!properties.some((other) => other.name === scheme)) return undefined
  const taken = `which would be taken for the property "${scheme}"`
  return {
    about: 'iri',
    message: `the iri of "${name}" begins with "${scheme}:", ${taken}; rename one of them`,
  }
}

function checkFormerName({ name, was }: Property, { properties }: Class): Found {
  if (was === undefined) return undefined
  if (properties.some((other) => other.name === was)) {
    const right = 'remove one of them'
    return {
      about: 'was',
      message: `"${name}" cannot have been "${was}", which is a property still; ${right}`,
    }
  }
  const same = properties.find((other) => other.was === was)
  if (same === undefined || same.name === name) return undefined
  return {
    about: 'was',
    message: `"${name}" and "${same.name}" cannot both have been "${was}"; remove one of them`,
  }
}

function checkMany({ name, many, range }: Property): Found {
  if (!many || range.kind !== 'datatype' || range.datatype !== 'langString') return undefined
  const right = 'remove "many", as it has a text for each language anyway'
  return { about: 'many', message: `"${name}" cannot have many values; ${right}` }
}

function checkUnique(property: Property, cls: Class): Found {
  const { name, unique, many } = property
  if (!unique) return undefined
  const about = 'unique'
  if (many) return { about, message: `"${name}" cannot be unique and have many values; remove one of them` }
  const what = withoutKey(property)
  if (what !== undefined) return { about, message: `"${name}" is ${what}, which cannot be unique; remove it` }
  if (hasCollection(cls)) return undefined
  const right = `${cls.name} has no collection in which "${name}" could be unique`
  return { about, message: `${right}; remove it` }
}

function checkFilterable(property: Property, cls: Class): Found {
  const { name, filterable, range } = property
  if (!filterable) return undefined
  const about = 'filterable'
  const what = withoutKey(property) ?? (isFilterable(property) ? undefined : datatypeName(range))
  if (what !== undefined)
    return { about, message: `"${name}" is ${what}, which cannot be filtered by; leave "filterable" out` }
  if (hasCollection(cls)) return undefined
  return { about, message: `${cls.name} has no collection to filter; leave "filterable" of "${name}" out` }
}

/** Whether members can be found by it at all (hypermedia.md, Datatypes). */
export const isFilterable = ({ range }: Pick<Property, 'range'>): boolean =>
  range.kind === 'link' || (range.kind === 'datatype' && datatypeOf(range.datatype).filterable)

/** Whether two values of it can be told to be the same. */
export const hasKey = (property: Pick<Property, 'range'>): boolean => withoutKey(property) === undefined

/** What has no one value to compare. */
function withoutKey({ range }: Pick<Property, 'range'>): string | undefined {
  if (range.kind === 'embedded') return 'an embedded value'
  return range.kind === 'datatype' && range.datatype === 'langString' ? 'text by language' : undefined
}

const datatypeName = (range: Property['range']): string | undefined =>
  range.kind === 'datatype' ? `a ${range.datatype}` : undefined
