/** Computes the effect of a change of the manifest from the builds before and after it. */

/** Compares two builds `{ plugins, bytes: { first, all } }`: `plugins` as the server describes them, bytes of the console compressed with gzip. */
export function planOf(before, after) {
  const known = new Map(before.plugins.map((plugin) => [plugin.id, plugin]));
  const stays = new Map(after.plugins.map((plugin) => [plugin.id, plugin]));
  const [gone, come] = [before.plugins.filter(({ id }) => !stays.has(id)), after.plugins.filter(({ id }) => !known.has(id))];
  const all = (plugins, part) => plugins.filter(({ skipped }) => !skipped).flatMap((plugin) => plugin[part]);
  const differing = (part, here, there, keyOf) => {
    const others = new Set(all(there, part).map(keyOf));
    return all(here, part).filter((entry) => !others.has(keyOf(entry)));
  };
  const change = (part, keyOf = (entry) => entry) => ({
    added: differing(part, after.plugins, before.plugins, keyOf),
    removed: differing(part, before.plugins, after.plugins, keyOf),
  });
  return {
    order: after.plugins.filter(({ skipped }) => !skipped).map(({ id }) => id),
    added: come.map(({ id }) => id),
    removed: gone.map(({ id }) => id),
    skipped: after.plugins.filter(({ skipped }) => skipped).map(({ id, skipped }) => ({ id, reason: skipped })),
    menus: change('menus', ({ code }) => code),
    codes: change('codes'),
    // Databases that have run their migrations keep the tables and their content.
    orphaned: gone.filter(({ migrations }) => migrations.length > 0).map(({ id }) => id),
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

function section(title, { added, removed }, said) {
  const line = (sign, entries) => (entries.length > 0 ? [`${sign} ${title}: ${entries.map(said).join(', ')}`] : []);
  return [...line('+', added), ...line('-', removed)];
}

const signed = (bytes) => `${bytes < 0 ? '−' : '+'}${Math.abs(bytes / 1000).toFixed(1)} kB`;
