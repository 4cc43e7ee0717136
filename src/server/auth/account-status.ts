/** What the column `status` of an account says. Nobody but `enabled` signs in. */
export const accountStatus = { enabled: 1, disabled: 2, awaitingApproval: 3 } as const;
