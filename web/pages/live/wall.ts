import { useEffect, useState } from 'react'

import { useKeys } from '../../keys/use-keys.ts'

/** How wide the board is laid out on a wall, whatever the screen: then everything is as large as it can be. */
const WALL_PIXELS = 900

/** The board alone, full screen where the browser can, and as large as the screen allows. */
export function useWall() {
  const [isOnWall, setOnWall] = useState(false)
  const [width, setWidth] = useState(() => window.innerWidth)
  useEffect(() => {
    // Esc leaves the full screen without telling the page anything else.
    const change = () => document.fullscreenElement === null && setOnWall(false)
    const resize = () => setWidth(window.innerWidth)
    document.addEventListener('fullscreenchange', change)
    window.addEventListener('resize', resize)
    return () => {
      document.removeEventListener('fullscreenchange', change)
      window.removeEventListener('resize', resize)
    }
  }, [])
  useEffect(() => {
    if (!isOnWall) return undefined
    document.documentElement.dataset.wall = ''
    const release = stayAwake()
    return () => {
      delete document.documentElement.dataset.wall
      release()
      if (document.fullscreenElement) void document.exitFullscreen()
    }
  }, [isOnWall])
  const toggle = () => {
    setOnWall(!isOnWall)
    // Some browsers have no full screen, or do not allow it: the board fills the window then.
    if (!isOnWall) void document.documentElement.requestFullscreen?.().catch(() => {})
  }
  useKeys(isOnWall ? { Escape: toggle } : {})
  return { isOnWall, toggle, zoom: isOnWall ? Math.max(1, width / WALL_PIXELS) : 1 }
}

/** A screen on a wall is not touched for hours. The browser forgets it while the page is hidden. */
function stayAwake(): () => void {
  let lock: Promise<WakeLockSentinel | undefined> | undefined
  const ask = () => {
    if (document.visibilityState === 'visible')
      lock = navigator.wakeLock?.request('screen').catch(() => undefined)
  }
  ask()
  document.addEventListener('visibilitychange', ask)
  return () => {
    document.removeEventListener('visibilitychange', ask)
    void lock?.then((held) => held?.release())
  }
}
