import type { ButtonHTMLAttributes } from 'preact'

type ButtonProps = Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'class'> & { readonly class?: string }

/** Submits no form unless its type says so. */
export const Button = ({ class: look = '', ...more }: ButtonProps) => (
  <button type="button" {...more} class={`button ${look}`} />
)
