import type { ClassDescription, CollectionDescription, PropertyDescription } from 'hydrant-client'
import { addressBelow } from '../names.ts'
import { type Description, hasFeed } from './description.ts'

/** Whether it is Hydrant's class of users (people.md), rather than one that happens to have that name. */
export const isAccountClass = (
  api: Pick<Description, 'documentation'>,
  cls: Pick<ClassDescription, 'iri'> | undefined,
): boolean => hasFeed(api) && cls?.iri === `${api.documentation.iri}#Account`

export const isOfAccounts = (
  api: Pick<Description, 'documentation'>,
  { memberClass }: Pick<CollectionDescription, 'memberClass'>,
): boolean => isAccountClass(api, memberClass)

export const hasAccounts = (api: Pick<Description, 'documentation' | 'links'>): boolean =>
  api.links.session !== undefined && api.documentation.classes.some((cls) => isAccountClass(api, cls))

/** The address of a user's account; `user` is the number. */
export const accountAddress = (base: string, user: string): string => addressBelow(base, `accounts/${user}`)

/** What the form of an account is for. */
type AccountFormPurpose = 'new' | 'own' | 'other'

const MADE = 'If you leave it empty, the API makes one, which you see once.'

/** The class of accounts as a form has it: the number is given once, and the own paraphrase is changed with the old one. */
export function accountFormClass(cls: ClassDescription, purpose: AccountFormPurpose): ClassDescription {
  const adapt = (property: PropertyDescription): readonly PropertyDescription[] => {
    if (property.name === 'userId') return [{ ...property, writable: property.writable && purpose === 'new' }]
    if (property.name !== 'paraphrase') return [property]
    if (purpose === 'own') return []
    return [
      { ...property, title: 'Passphrase', readable: false, description: purpose === 'new' ? MADE : NEW_ONE },
    ]
  }
  return { ...cls, properties: cls.properties.flatMap(adapt) }
}

const NEW_ONE = 'If you set a new one, the user has to sign in with it everywhere.'
