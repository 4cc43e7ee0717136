import type { ServerContext } from '#server';

/** Returns the stored links of uploaded files. */
export const storedFiles = ({ links }: ServerContext['db'], files: readonly string[]): Promise<string[]> =>
  Promise.all(files.map(async (file) => (await links?.toStored(file, [])) ?? file));
