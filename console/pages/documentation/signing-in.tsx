import { useApi } from '../../shared/api.ts'
import { useStore } from '../../shared/store.ts'

/** How a program gets in, and where it reads all of this. */
export function SigningIn() {
  const { documentation, base, signedIn } = useApi()
  const user = useStore(signedIn)
  const hasTokens = documentation.links.some(({ name }) => name === 'session')
  return (
    <section class="doc-section" aria-labelledby="doc-signing-in">
      <h2 id="doc-signing-in" tabIndex={-1}>
        For programs
      </h2>
      {user ? (
        hasTokens ? (
          <WithToken />
        ) : (
          <WithCredentials />
        )
      ) : (
        <p>This API is open: nobody has to sign in.</p>
      )}
      <dl class="doc-facts">
        <div>
          <dt>Entry point</dt>
          <dd>
            <code>{base}/</code>
          </dd>
        </div>
        <div>
          <dt>This documentation, for machines</dt>
          <dd>
            <code>{documentation.iri}</code> <span class="hint">Hydra, as JSON-LD</span>
          </dd>
        </div>
      </dl>
    </section>
  )
}

/** seed.md, section 5. */
const WithToken = () => (
  <p>
    A request without a token is answered with 401 and a nonce in <code>X-Authentication</code>; send it again
    with that nonce in <code>X-Authentication</code> and the user’s id and paraphrase in{' '}
    <code>Authorization: Basic</code>, and the answer has a token in <code>X-Authorization</code>. Send that
    token in <code>X-Authorization</code> with every request: it is valid for 45 minutes, and alone is enough.
  </p>
)

/** authentication.md, switches: tokens off. */
const WithCredentials = () => (
  <p>
    A request without credentials is answered with 401 and a nonce in <code>X-Authentication</code>; send it
    again with that nonce in <code>X-Authentication</code> and the user’s id and paraphrase in{' '}
    <code>Authorization: Basic</code>. Each answer has the nonce for the next request.
  </p>
)
