/** Replaces `lodash/get` in Arco's table, whose paths are names of fields separated by dots. */
export default function get(value: unknown, path: string | undefined): unknown {
  return path?.split('.').reduce((found, name) => (found as Record<string, unknown> | null | undefined)?.[name], value);
}
