/** `POST plan/earn` of `POST /accounts/acc_.../plan/earn`: whose it is is said elsewhere. */
export function shownUrl(title: string): string {
  return title.replace(/^(\w+) \/(?:accounts\/acc_[0-9A-Za-z]{12,32}\/)?/, '$1 ')
}

/** `2.5 s later`, `2 m 5 s later`. */
export function shownGap(ms: number): string {
  if (ms < 60_000) return `${Math.round(ms / 100) / 10} s later`
  const minutes = Math.floor(ms / 60_000)
  if (minutes >= 60) return `${Math.floor(minutes / 60)} h ${minutes % 60} m later`
  return `${minutes} m ${Math.floor((ms % 60_000) / 1000)} s later`
}
