import type { Farewell } from '../../shared/connection/connection.ts'

/** What one reads after signing out. */
export function farewellOf({ revoked, endsAt }: Farewell): string {
  if (endsAt === undefined) return 'You are signed out.'
  if (revoked) return 'You are signed out, and the token has been revoked.'
  const time = new Date(endsAt).toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' })
  return `You are signed out here, but the API could not be told to revoke the token. It has been forgotten, and ends by itself at ${time}.`
}
