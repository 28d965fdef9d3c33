import type { ButtonHTMLAttributes } from 'preact'

type ButtonProps = Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'class' | 'label'> & {
  readonly class?: string
  readonly label?: string
}

/** Submits no form unless its type says so. */
export const Button = ({ class: look = '', label, children, ...more }: ButtonProps) => (
  <button type="button" {...more} class={`button ${look}`}>
    {label ?? children}
  </button>
)
