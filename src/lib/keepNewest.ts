/** Removes the oldest entries of the map until at most `most` are left; skips those for which `mayGo` returns false. */
export function keepNewest<K, V>(
  map: Map<K, V>,
  most: number,
  mayGo: (value: V) => boolean = () => true,
): void {
  for (const [key, value] of map) {
    if (map.size <= most) return
    if (mayGo(value)) map.delete(key)
  }
}
