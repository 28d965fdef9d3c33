import { render } from 'preact'
import { Console } from './console.tsx'

const root = document.getElementById('console')
const served = document.querySelector<HTMLMetaElement>('meta[name="hydrant-base"]')?.content ?? ''
if (root) render(<Console served={served} />, root)
