import { createDocumentation } from '../vocabulary/index.ts'
import { type DocumentParts, type Resource, resource } from './resource.ts'

/** `{base}/vocab`: the ApiDocumentation that every response links to. */
export const documentation = ({ model, base, hasSession, respond }: DocumentParts): Resource =>
  resource({ GET: respond.fixed(createDocumentation(model, base, { session: hasSession })) })
