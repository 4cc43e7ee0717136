/** Computes the effect of a change of the manifest from the builds before and after it. */

/** Compares two builds `{ plugins, bytes: { first, all } }`: `plugins` as the server describes them, bytes of the console compressed with gzip. */
export function planOf(before, after) {
  const beforeById = new Map(before.plugins.map((plugin) => [plugin.id, plugin]));
  const afterById = new Map(after.plugins.map((plugin) => [plugin.id, plugin]));
  const added = after.plugins.filter(({ id }) => !beforeById.has(id));
  const removed = before.plugins.filter(({ id }) => !afterById.has(id));
  const entriesOf = (plugins, part) => plugins.filter(({ skipped }) => !skipped).flatMap((plugin) => plugin[part]);
  const missingIn = (others, plugins, part, keyOf) => {
    const keys = new Set(entriesOf(others, part).map(keyOf));
    return entriesOf(plugins, part).filter((entry) => !keys.has(keyOf(entry)));
  };
  const change = (part, keyOf = (entry) => entry) => ({
    added: missingIn(before.plugins, after.plugins, part, keyOf),
    removed: missingIn(after.plugins, before.plugins, part, keyOf),
  });
  return {
    order: after.plugins.filter(({ skipped }) => !skipped).map(({ id }) => id),
    added: added.map(({ id }) => id),
    removed: removed.map(({ id }) => id),
    skipped: after.plugins.filter(({ skipped }) => skipped).map(({ id, skipped }) => ({ id, reason: skipped })),
    menus: change('menus', ({ code }) => code),
    codes: change('codes'),
    // Databases that have run their migrations keep the tables and their content.
    orphaned: removed.filter(({ migrations }) => migrations.length > 0).map(({ id }) => id),
    bytes: { first: after.bytes.first - before.bytes.first, all: after.bytes.all - before.bytes.all },
  };
}

/** Formats a plan as lines of text. */
export function linesOf(plan) {
  const { added, removed, skipped, menus, codes, orphaned, bytes, order } = plan;
  if (added.length + removed.length === 0 && skipped.length === 0) return ['Nothing changes: the same plugins.'];
  return [
    ...added.map((id) => `+ ${id}`),
    ...removed.map((id) => `- ${id}`),
    ...skipped.map(({ id, reason }) => `! ${id} would not run: ${reason}`),
    ...section('menu', menus, ({ title, path }) => `${title[1]} (${path})`),
    ...section('permission codes', codes, String),
    ...(orphaned.length > 0 ? [`Data: the tables of ${orphaned.join(', ')} stay in the database and are available again once the plugin is enabled.`] : []),
    `Console: ${signed(bytes.first)} until the sign-in form, ${signed(bytes.all)} in all (gzip).`,
    `Order: ${order.join(', ')}`,
  ];
}

function section(title, { added, removed }, format) {
  const line = (sign, entries) => (entries.length > 0 ? [`${sign} ${title}: ${entries.map(format).join(', ')}`] : []);
  return [...line('+', added), ...line('-', removed)];
}

const signed = (bytes) => `${bytes < 0 ? '−' : '+'}${Math.abs(bytes / 1000).toFixed(1)} kB`;
