const ids = process.env.CHECKED_PLUGINS?.split(',');

/** True where every plugin is tested, false where `npm run plugin -- check` tests only some. */
export const isEveryPluginChecked = ids === undefined;

/** True for each plugin that is tested: all of them, unless `npm run plugin -- check` names some. */
export const isChecked = (id: string): boolean => ids === undefined || ids.includes(id);

/** The least number of things a test must find, so that it cannot pass by finding none; single plugins may have fewer. */
export const atLeast = (number: number): number => (isEveryPluginChecked ? number : 0);
