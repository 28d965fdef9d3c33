import type { Clock } from '../auth/clock.ts'
import type { Principal } from '../auth/gate.ts'
import type { AuthStore, Token } from '../store/store.ts'
import { sessionContext } from '../vocabulary/contexts.ts'
import { type Resource, resource } from './resource.ts'
import { byMediaType, fingerprint, mediaTypeFor, type Serving } from './serving.ts'

/** `{base}/session`: whose token this is and until when; DELETE ends it (authentication.md, Session resource). */
export function session(base: string, store: AuthStore, clock: Clock, serving: Serving): Resource {
  const context = JSON.stringify(sessionContext(base))
  const head = `{"@context":${context},"@id":"${base}/session","@type":"Session"`

  const fingerprints = byMediaType((mediaType) => fingerprint(context, mediaType))

  return resource({
    GET: ({ request, principal }) => {
      const token = tokenOf(principal)
      const mediaType = mediaTypeFor(request)
      const etag = `"${token.id}-${fingerprints[mediaType]}"`
      return serving.read(request, mediaType, etag, () => {
        const issuedAt = new Date(token.issuedAt).toISOString()
        const expiresAt = new Date(token.expiresAt).toISOString()
        return `${head},"user":${token.userId},"issuedAt":"${issuedAt}","expiresAt":"${expiresAt}"}`
      })
    },
    DELETE: async ({ request, principal }) => {
      await request.readBody()
      await store.revokeTokens({ tokenId: tokenOf(principal).id }, clock.now())
      return serving.nothing()
    },
  })
}

/** The resource exists only while tokens are on, and then nothing else admits. */
function tokenOf(principal: Principal | undefined): Token {
  if (principal?.token === undefined) throw new Error('The session resource was reached without a token.')
  return principal.token
}
