/** To where the page begins. */
export function focusMain(): void {
  const title = document.querySelector<HTMLElement>('#main h1')
  title?.focus()
  title?.scrollIntoView({ block: 'nearest' })
}

/**
 * What scrolls: the document; or, while the wire view is open below the page, the page alone, so that neither hides a
 * part of the other.
 */
const scrollers = (): readonly Element[] =>
  [document.scrollingElement, document.querySelector('.middle')].filter((element) => element !== null)

/** How far down one is. */
export const scrolled = (): number => Math.max(...scrollers().map(({ scrollTop }) => scrollTop))

export function scrollTo(top: number): void {
  for (const element of scrollers()) element.scrollTop = top
}
