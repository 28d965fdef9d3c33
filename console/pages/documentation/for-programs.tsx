import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { sentenceOf, useApi } from '../../shared/connection/index.ts'
import { Button } from '../../shared/controls/index.ts'
import { useObservable } from '../../shared/state.ts'
import { Command, preparationsFor } from '../../shared/wire/index.ts'

export function ForPrograms() {
  const { documentation, links, base, signedIn } = useApi()
  const user = useObservable(signedIn)
  const hasTokens = documentation.links.some(({ name }) => name === 'session')
  return (
    <section class="stack" aria-labelledby="doc-signing-in">
      <h2 id="doc-signing-in">For programs</h2>
      {user ? <SigningIn hasTokens={hasTokens} /> : <p>This API is open: you do not need to sign in.</p>}
      {user && hasTokens && (
        <details class="doc-example">
          <summary>Get a token on the command line</summary>
          <Command
            title="Set USER_ID and PARAPHRASE to yours, then run:"
            button="Copy"
            text={preparationsFor({ requestHeaders: { 'X-Authorization': '' } }, base).join('\n')}
          />
        </details>
      )}
      <dl class="doc-facts">
        <Fact term="Entry point">
          <code>{base}/</code>
        </Fact>
        <Fact term="This documentation, for machines">
          <code>{documentation.iri}</code> <span class="hint">Hydra, as JSON-LD</span>
        </Fact>
        {links.openapi && <OpenApi iri={links.openapi} />}
      </dl>
    </section>
  )
}

/** A browser would follow a link without the token, so the document is read here, and then saved. */
function OpenApi({ iri }: { iri: string }) {
  const { client } = useApi()
  const [said, setSaid] = useState('')
  const save = async () => {
    try {
      const { body } = await client.request('GET', iri, { headers: { accept: 'application/json' } })
      const href = URL.createObjectURL(new Blob([JSON.stringify(body, undefined, 2)]))
      Object.assign(document.createElement('a'), { href, download: 'openapi.json' }).click()
      URL.revokeObjectURL(href)
      setSaid('Saved as openapi.json.')
    } catch (error) {
      setSaid(sentenceOf(error))
    }
  }
  return (
    <Fact term="OpenAPI 3.1">
      <code>{iri}</code> <Button label="Save" onClick={save} /> <span role="status">{said}</span>
    </Fact>
  )
}

/** seed.md, section 5; without tokens: authentication.md, switches. */
const SigningIn = ({ hasTokens }: { hasTokens: boolean }) => (
  <p>
    The response to a request without {hasTokens ? 'a token' : 'credentials'} is 401, with a nonce in{' '}
    <code>X-Authentication</code>. Send the request again with that nonce in <code>X-Authentication</code> and
    the user’s id and passphrase (the protocol says “paraphrase”) in <code>Authorization: Basic</code>.{' '}
    {hasTokens ? (
      <>
        The response has a token in <code>X-Authorization</code>. Send only that token, in{' '}
        <code>X-Authorization</code>, with every further request. It is valid for 45 minutes.
      </>
    ) : (
      'Each response has the nonce for the next request.'
    )}
  </p>
)

export function SearchGuide() {
  const { collections, base } = useApi()
  const collection = collections[0]
  if (!collection) return null
  const property = collection.memberClass?.properties.find(({ range }) => range?.endsWith('#string'))
  const name = property?.name ?? 'name'
  const path = collection.iri.slice(base.length)
  return (
    <section class="stack" aria-labelledby="doc-asking">
      <h2 id="doc-asking">Searching a collection</h2>
      <p>
        The first page of every collection has a template in <code>search</code>, with a variable for each
        filter, order and page. Other parameters are refused.
      </p>
      <dl class="doc-facts doc-asking">
        <Fact term="Filter">
          <code>{`${path}?${name}=…`}</code>: repeating a variable means “or”, another variable means “and”.
          If the template has them, you can also use <code>{name}.startsWith</code>, <code>.contains</code>,{' '}
          <code>.gte</code>, <code>.lte</code> and <code>.exists</code>
        </Fact>
        <Fact term="Sort">
          <code>{`${path}?order[${name}]=desc`}</code>: <code>asc</code> or <code>desc</code>
        </Fact>
        <Fact term="Page">
          follow <code>next</code> and <code>previous</code> in <code>view</code> unchanged; the last page has
          no <code>next</code>
        </Fact>
        <Fact term="Change">
          send the <code>ETag</code> that you read in <code>If-Match</code>: 412 means that someone else has
          changed the member since
        </Fact>
        <Fact term="Errors">
          400 for an invalid query, 422 for an invalid value, each with an explanation; 422 has{' '}
          <code>violations</code>, one for each problem
        </Fact>
      </dl>
    </section>
  )
}

const Fact = ({ term, children }: { term: string; children: ComponentChildren }) => (
  <div>
    <dt>{term}</dt>
    <dd>{children}</dd>
  </div>
)
