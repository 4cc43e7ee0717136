/** Detects the error of a chunk that failed to load: the network is down, or the server has another build. */
export const isMissingFile = (error: unknown): boolean =>
  error instanceof Error && (error.name === 'ChunkLoadError' || /loading (css )?chunk|dynamically imported module/i.test(error.message));
