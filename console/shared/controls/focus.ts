/** To where the page begins. */
export function focusMain(): void {
  const title = document.querySelector<HTMLElement>('#main h1')
  title?.focus()
  title?.scrollIntoView({ block: 'nearest' })
}
