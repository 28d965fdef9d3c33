import { useApi } from '../../shared/connection/index.ts'
import { useStore } from '../../shared/state/index.ts'

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

/** How a collection is asked (hypermedia.md), for those who write programs. Nothing is requested to say so. */
export function Asking() {
  const { collections, base } = useApi()
  const collection = collections[0]
  if (!collection) return null
  const property = collection.memberClass?.properties.find(({ range }) => range?.endsWith('#string'))
  const name = property?.name ?? 'name'
  const path = collection.iri.slice(base.length)
  return (
    <section class="doc-section" aria-labelledby="doc-asking">
      <h2 id="doc-asking" tabIndex={-1}>
        Asking a collection
      </h2>
      <p>
        Every collection says how it can be asked, in <code>search</code> of its first page: a template with a
        variable for each filter, order and page. Those that it does not have are refused.
      </p>
      <dl class="doc-facts doc-asking">
        <Fact term="Filter" example={`${path}?${name}=…`}>
          the same variable again means “or”, another one means “and”; where the template has them also{' '}
          <code>{name}[startsWith]</code>, <code>[contains]</code>, <code>[gte]</code>, <code>[lte]</code> and{' '}
          <code>exists[{name}]</code>
        </Fact>
        <Fact term="Sort" example={`${path}?order[${name}]=desc`}>
          <code>asc</code> or <code>desc</code>
        </Fact>
        <Fact term="Page">
          follow <code>next</code> and <code>previous</code> of <code>view</code> as they are written; the
          last page has no <code>next</code>
        </Fact>
        <Fact term="Change">
          send the <code>ETag</code> that was read in <code>If-Match</code>: 412 says that somebody was faster
        </Fact>
        <Fact term="Errors">
          400 for a question, 422 for a value, each with a sentence that names what was wrong; 422 has{' '}
          <code>violations</code>, one for each property
        </Fact>
      </dl>
    </section>
  )
}

interface FactProps {
  readonly term: string
  readonly example?: string
  readonly children: preact.ComponentChildren
}

const Fact = ({ term, example, children }: FactProps) => (
  <div>
    <dt>{term}</dt>
    <dd>
      {example && (
        <>
          <code>{example}</code>:{' '}
        </>
      )}
      {children}
    </dd>
  </div>
)
