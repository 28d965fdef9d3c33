import type { Clock, Principal } from '../auth/index.ts'
import type { AuthStore, Token } from '../store/index.ts'
import { sessionContext } from '../vocabulary/index.ts'
import { fingerprint, mediaTypeFor } from './media-types.ts'
import { type Resource, resource } from './resource.ts'
import type { Respond } from './respond.ts'

interface SessionParts {
  readonly base: string
  readonly store: AuthStore
  readonly clock: Clock
  readonly respond: Respond
}

/** `{base}/session`: whose token this is, until when, and with which roles; DELETE ends it (authentication.md, Session resource). */
export function session({ base, store, clock, respond }: SessionParts): Resource {
  const context = JSON.stringify(sessionContext(base))
  const head = `{"@context":${context},"@id":"${base}/session","@type":"Session"`

  function represent({ userId, issuedAt, expiresAt }: Token, roles: string): string {
    const [issued, expires] = [issuedAt, expiresAt].map((time) => new Date(time).toISOString())
    return `${head},"user":${userId},"issuedAt":"${issued}","expiresAt":"${expires}","roles":${roles}}`
  }

  return resource({
    GET: ({ request, principal }) => {
      const token = tokenOf(principal)
      const mediaType = mediaTypeFor(request)
      const roles = JSON.stringify(principal?.roles.toSorted() ?? [])
      const etag = `"${token.id}-${fingerprint(context, roles, mediaType)}"`
      return respond.read(request, { mediaType, etag, body: () => represent(token, roles) })
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
