/** Values of the column `status` of an account. Only enabled accounts can sign in. */
export const accountStatus = { enabled: 1, disabled: 2, awaitingApproval: 3 } as const;
