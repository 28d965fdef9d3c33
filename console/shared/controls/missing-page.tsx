import { hrefOf } from '../routes.ts'
import { Page } from './page.tsx'

/** Somebody came with an address of the console that nothing is at. */
export function MissingPage({ place }: { readonly place: string }) {
  return (
    <Page title="There is no such page">
      <p>
        The console has nothing at <code>#/{place}</code>.
      </p>
      <p>
        <a href={hrefOf({ page: 'home' })}>Go to the overview</a>
      </p>
    </Page>
  )
}
