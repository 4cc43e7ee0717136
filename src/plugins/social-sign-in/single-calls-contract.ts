/** Calls for many rows, which screens of this plugin lack: each provider has secrets of its own, and each mapping is checked against the roles of the caller. */
export const manyRowCalls = ['export', 'import', 'bulkSubmit'] as const;
