/** The sidebar of the site: sections of pages. */
export const sections: { text: string; items: { text: string; link: string }[] }[]
