import type { ServedMode } from '../respond.ts'
import type { Schema } from './schemas.ts'

function inHeader(name: string, description: string): Schema {
  return { type: 'apiKey', in: 'header', name, description }
}
const NONCE = inHeader('X-Authentication', 'A nonce, which every 401 carries; it can be used once.')
const CREDENTIALS = { type: 'http', scheme: 'basic', description: 'The id of the user and the passphrase.' }
const TOKEN = inHeader('X-Authorization', 'A token, which the exchange of a nonce and credentials gives.')
const STEP_A =
  'A request without valid credentials is answered 401 with a fresh nonce in `X-Authentication` (step A).'

/** How requests are admitted: a description, the security requirements, and the security schemes. */
export const PROCEDURES: Readonly<
  Record<
    ServedMode,
    { readonly words: string; readonly security: readonly object[]; readonly schemes?: object }
  >
> = {
  open: { words: 'Every request is served without credentials.', security: [] },
  anyone: {
    words: 'This is what is served without credentials; who signs in may find more.',
    security: [],
  },
  nonce: {
    words: `${STEP_A} Each request carries such a nonce in \`X-Authentication\` and the credentials in \`Authorization: Basic\`; each answer has the next nonce.`,
    security: [{ nonce: [], credentials: [] }],
    schemes: { nonce: NONCE, credentials: CREDENTIALS },
  },
  token: {
    words: `${STEP_A} The same request with the nonce in \`X-Authentication\` and the credentials in \`Authorization: Basic\` is answered with a token in \`X-Authorization\`, and not carried out (step B). With the token in \`X-Authorization\`, requests are served until it expires, after 45 minutes at most (step C).`,
    security: [{ token: [] }],
    schemes: { token: TOKEN, nonce: NONCE, credentials: CREDENTIALS },
  },
}
