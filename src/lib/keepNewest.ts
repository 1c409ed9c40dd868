/** Removes the oldest entries of the map until no more than `most` are left. Those that may not go are passed over. */
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
