type Components = Readonly<Record<string, unknown>>;

/** Replaces `lodash/merge` in Arco's table, which merges the components of a table, two levels deep, into its own. */
export default function merge(_target: object, defaults: Components, components: Components): Components {
  const merged: Record<string, unknown> = { ...defaults };
  for (const [name, value] of Object.entries(components))
    merged[name] = typeof value === 'object' ? { ...(defaults[name] as object), ...value } : (value ?? defaults[name]);
  return merged;
}
