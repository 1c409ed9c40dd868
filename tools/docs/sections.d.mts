/** The pages of the documentation site, in the order of its sidebar. */
export const sections: { text: string; items: { text: string; link: string; about: string }[] }[]

/** Pages for maintainers, below `docs`. */
export const unpublished: string[]

/** What `llms.txt` says of a site at this path. */
export function contentsOf(base: string): string

/** A list of all pages in Markdown, in the groups of the sidebar. */
export function listOf(heading: string, addressOf: (page: string) => string): string
