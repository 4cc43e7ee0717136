/** Storage key of the flag that hides the checklist. */
export const setupHidden = { key: 'dashboard:setup-hidden', version: 1 } as const;
