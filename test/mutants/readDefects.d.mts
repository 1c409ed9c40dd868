/** A hand-made defect. */
export interface Defect {
  name: string
  file: string
  find: string
  replace: string
  tests: string[]
}

export function readDefects(): Defect[]
export function withDefect(text: string, defect: Defect): string
