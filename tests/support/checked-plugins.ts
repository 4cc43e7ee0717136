const ids = process.env.CHECKED_PLUGINS?.split(',');

/** True if every plugin is tested, false if `npm run plugin -- check` tests only some. */
export const isEveryPluginChecked = ids === undefined;

/** Returns true for each tested plugin: all of them, unless `npm run plugin -- check` names some. */
export const isChecked = (id: string): boolean => ids === undefined || ids.includes(id);

/** Returns the minimum number of things that a test must find, so that it cannot pass by finding none; single plugins may have fewer. */
export const atLeast = (number: number): number => (isEveryPluginChecked ? number : 0);
