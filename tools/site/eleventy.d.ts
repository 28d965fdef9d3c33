// The part of Eleventy that we use; the package has no types.
declare module '@11ty/eleventy' {
  import type MarkdownIt from 'markdown-it'

  export interface UserConfig {
    readonly ignores: Set<string>
    setTemplateFormats(formats: string): void
    addGlobalData(name: string, value: unknown): void
    amendLibrary(name: 'md', amend: (markdown: MarkdownIt) => void): void
    addPassthroughCopy(paths: Readonly<Record<string, string>>): void
    addTransform(
      name: string,
      transform: (this: { readonly page: { readonly inputPath: string } }, content: string) => string,
    ): void
    addTemplate(path: string, content: string, data?: Readonly<Record<string, unknown>>): void
    on(event: 'eleventy.after', listener: () => void): void
  }

  export default class Eleventy {
    constructor(
      input: string,
      output: string,
      options: {
        readonly configPath?: string
        readonly quietMode?: boolean
        readonly runMode?: 'build' | 'watch'
        readonly config: (config: UserConfig) => void
      },
    )
    init(): Promise<void>
    write(): Promise<unknown>
    watch(): Promise<void>
  }
}
