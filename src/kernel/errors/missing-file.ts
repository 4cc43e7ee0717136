/** True for the failure of a file of the console that did not arrive: the network is down, or another build is on the server. */
export const isMissingFile = (error: unknown): boolean =>
  error instanceof Error && (error.name === 'ChunkLoadError' || /loading (css )?chunk|dynamically imported module/i.test(error.message));
