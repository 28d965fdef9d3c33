export * from './wire-panel.tsx'
