import { useState } from 'preact/hooks'
import { LeaveDialog } from './leaving.tsx'
import { hasUnsavedChanges } from './unsaved.ts'

type Act = () => void

export interface AskFirst {
  /** Acts at once, or, where something typed would be lost by it, when one says so. */
  readonly askFirst: (act: Act) => void
  /** The question, while there is one. */
  readonly question: preact.JSX.Element | null
}

/** For what takes the page away without a change of address: see `useLeaving` for those. */
export function useAskFirst(): AskFirst {
  const [wanted, setWanted] = useState<{ readonly act: Act }>()
  const stay = () => setWanted(undefined)
  const leave = () => {
    stay()
    wanted?.act()
  }
  return {
    askFirst: (act) => (hasUnsavedChanges() ? setWanted({ act }) : act()),
    question: wanted ? <LeaveDialog onStay={stay} onLeave={leave} /> : null,
  }
}
