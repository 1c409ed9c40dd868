import { createContext } from 'preact'

/** The leased world that a part of a page shows; undefined where it is the one that all pages show. */
export const OtherWorld = createContext<string | undefined>(undefined)
