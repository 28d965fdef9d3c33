import type { Clock, Principal } from '../auth/index.ts'
import type { AuthStore, Token } from '../store/index.ts'
import { sessionContext } from '../vocabulary/index.ts'
import { byMediaType, fingerprint, mediaTypeFor, type Resource, type Respond, resource } from './respond.ts'

interface SessionParts {
  readonly base: string
  readonly store: AuthStore
  readonly clock: Clock
  readonly respond: Respond
}

/** `{base}/session`: whose token this is and until when; DELETE ends it (authentication.md, Session resource). */
export function session({ base, store, clock, respond }: SessionParts): Resource {
  const context = JSON.stringify(sessionContext(base))
  const head = `{"@context":${context},"@id":"${base}/session","@type":"Session"`
  const fingerprints = byMediaType((mediaType) => fingerprint(context, mediaType))

  function represent({ userId, issuedAt, expiresAt }: Token): string {
    const [issued, expires] = [issuedAt, expiresAt].map((time) => new Date(time).toISOString())
    return `${head},"user":${userId},"issuedAt":"${issued}","expiresAt":"${expires}"}`
  }

  return resource({
    GET: ({ request, principal }) => {
      const token = tokenOf(principal)
      const mediaType = mediaTypeFor(request)
      const etag = `"${token.id}-${fingerprints[mediaType]}"`
      return respond.read(request, { mediaType, etag, body: () => represent(token) })
    },
    DELETE: async ({ request, principal }) => {
      await request.readBody()
      await store.revokeTokens({ tokenId: tokenOf(principal).id }, clock.now())
      return respond.noContent()
    },
  })
}

/** The resource exists only while tokens are on, and then nothing else admits. */
function tokenOf(principal: Principal | undefined): Token {
  if (principal?.token === undefined) throw new Error('The session resource was reached without a token.')
  return principal.token
}
