import { type Connection, connect } from '../../shared/connection/connection.ts'
import { describeOrName } from '../../shared/connection/other-name.ts'

/**
 * A connection to an API that is there: it asks who one is, or says what it is. Fails with the reason otherwise, or
 * when it is given up.
 */
export async function openConnection(address: string, signal: AbortSignal): Promise<Connection> {
  const connection = connect(address)
  const { client, question, signOut } = connection
  let stop = () => {}
  const asked = new Promise<void>((resolve) => {
    stop = question.watch((now) => now && resolve())
  })
  try {
    await Promise.race([asked, describeOrName(client, { signal })])
    return connection
  } catch (error) {
    // Nobody is asked any more on its behalf.
    signOut()
    throw error
  } finally {
    stop()
  }
}
