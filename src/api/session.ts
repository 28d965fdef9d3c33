import type { AuthStore, Clock, Principal, Token } from '../auth/index.ts'
import { ACCOUNTS, sessionContext } from '../vocabulary/index.ts'
import { fingerprint, mediaTypeFor } from './request.ts'
import { resource } from './resource.ts'
import type { Respond } from './respond.ts'
import type { Resource } from './types.ts'

interface SessionDependencies {
  readonly base: string
  readonly tokens: Pick<AuthStore, 'revokeTokens'>
  readonly clock: Clock
  readonly respond: Respond
}

/** `{base}/session`: the user, expiry and roles of the token; DELETE revokes it (authentication.md, Session resource). */
export function session({ base, tokens, clock, respond }: SessionDependencies): Resource {
  const context = JSON.stringify(sessionContext(base))
  return resource({
    GET: ({ request, principal }) => {
      const { userId, issuedAt, expiresAt } = tokenOf(principal)
      const mediaType = mediaTypeFor(request)
      const roles = JSON.stringify(principal?.roles.toSorted())
      const [issued, expires] = [issuedAt, expiresAt].map((time) => new Date(time).toISOString())
      const body =
        `{"@context":${context},"@id":"${base}/session","@type":"Session","user":${userId},` +
        `"account":"${base}/${ACCOUNTS}/${userId}",` +
        `"issuedAt":"${issued}","expiresAt":"${expires}","roles":${roles}}`
      // The ETag depends only on the body: the number of the token would reveal how many exchanges there were.
      return respond.read(request, { mediaType, etag: `"${fingerprint(body, mediaType)}"`, body: () => body })
    },
    DELETE: async ({ request, principal }) => {
      await request.readBody()
      await tokens.revokeTokens({ tokenId: tokenOf(principal).id }, clock.now())
      return respond.noContent()
    },
  })
}

/** The session is served only while tokens are on, and then every principal has a token. */
const tokenOf = (principal: Principal | undefined) => principal?.token as Token
