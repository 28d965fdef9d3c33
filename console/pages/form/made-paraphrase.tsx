import { Button, Page, useCopying } from '../../shared/controls/index.ts'
import { hrefOf, type Route } from '../../shared/names.ts'

export interface MadeAccount {
  readonly name: string
  readonly userId: number
  readonly paraphrase: string
  readonly route: Route
}

/** Shown instead of the form of a new account whose paraphrase the API has made: no later response has it. */
export function MadeParaphrase({ name, userId, paraphrase, route }: MadeAccount) {
  const { shown, copy, said } = useCopying(paraphrase)
  const who = name === String(userId) ? `number ${userId}` : `${name}, number ${userId}`
  return (
    <Page title="Account created">
      <section class="card stack wide made-paraphrase" aria-label="Passphrase">
        <p>The passphrase of {who}:</p>
        <p>
          <code ref={shown}>{paraphrase}</code>
        </p>
        <p class="row">
          <Button label="Copy passphrase" class="primary" onClick={copy} />
          <span class="hint" role="status">
            {said}
          </span>
        </p>
        <p class="warning">
          It is shown only once. Copy it now and give it to the user: nobody can read it later, but a new one
          can be set.
        </p>
      </section>
      <p>
        <Button label="Done" href={hrefOf(route)} />
      </p>
    </Page>
  )
}
