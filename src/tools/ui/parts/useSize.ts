import type { RefObject } from 'preact'
import { useLayoutEffect, useState } from 'preact/hooks'

/** How wide or high the inside of an element is, as long as it is there; `before` until that is known. */
export function useSize(
  box: RefObject<HTMLElement | null>,
  side: 'clientWidth' | 'clientHeight',
  before: number,
): number {
  const [size, setSize] = useState(before)
  useLayoutEffect(() => {
    const observer = new ResizeObserver(() => setSize(box.current?.[side] ?? 0))
    observer.observe(box.current!)
    return () => observer.disconnect()
  }, [])
  return size
}
