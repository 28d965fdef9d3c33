interface BackToServedProps {
  readonly base: string
  /** Empty where the page came with none. */
  readonly served: string
  readonly onBack: () => void
  readonly quiet?: boolean
}

/** From an API that somebody has chosen to the one that the page came with. */
export function BackToServed({ base, served, onBack, quiet = false }: BackToServedProps) {
  if (served === '' || base === served) return null
  return (
    <button type="button" class={quiet ? 'button quiet' : 'button'} onClick={onBack}>
      Back to {served}
    </button>
  )
}
