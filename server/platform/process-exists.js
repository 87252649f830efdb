/** Whether a process has this id: it may be a zombie, or another program. */
export function processExists(pid) {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error.code === 'EPERM'
  }
}
//# sourceMappingURL=process-exists.js.map
