type BulkCalls = 'export' | 'import' | 'importTemplate' | 'importPreview' | 'importMapping' | 'bulkSubmit';

/** Removes the calls for many rows: each provider has secrets of its own, and each mapping is checked against the roles of the caller. */
export function singleCalls<Calls extends object>(calls: Calls): Omit<Calls, BulkCalls> {
  const left: readonly string[] = ['export', 'import', 'importTemplate', 'importPreview', 'importMapping', 'bulkSubmit'] satisfies BulkCalls[];
  return Object.fromEntries(Object.entries(calls).filter(([name]) => !left.includes(name))) as Omit<Calls, BulkCalls>;
}
