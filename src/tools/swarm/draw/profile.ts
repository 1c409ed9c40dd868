/** A bound, a range `[least, most]` of whole numbers, or a choice of words, that a setting is drawn from. */
export type Drawn =
  | number
  | string
  | boolean
  | readonly [number, number]
  | { oneOf: readonly string[] }

/** For what a rule of an effect is narrowed: one rule for each that the client uses. */
export type Target = 'route' | 'change' | 'execute' | 'kind' | 'network' | 'folio' | 'everything'

/** One effect that a profile may draw. */
export interface DrawnEffect {
  /** `seam.effect`, as faults name it. */
  name: string
  /** How often it is drawn, compared with the others. */
  weight: number
  target: Target
  settings: Readonly<Record<string, Drawn>>
  /** How often a rule fires; absent for what stands or stays. */
  times?: readonly [number, number]
  /** Whether a good client rides it out. */
  survivable: boolean
  /** It is tried by itself, and never drawn together with others. */
  alone?: boolean
}

/** What days are drawn from. */
export interface Profile {
  name: string
  /** Most rules of one run. */
  mostRules: number
  effects: readonly DrawnEffect[]
}
