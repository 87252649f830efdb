import { useConnection } from '../connection/reachability.ts'
import { Missing, SkeletonRows } from '../ui/states.tsx'

/** While the code of a page is loaded. */
export const PageLoading = () => (useConnection().isReachable ? <SkeletonRows /> : <Missing />)
