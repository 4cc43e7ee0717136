import { problem } from '#shared/errors';

/** SQLSTATE with which the database rejects an account beyond the tenant's quota. */
export const quotaState = 'MQ001';

/** Error for an account beyond the quota. */
export const quotaReached = problem(409, ['租户账号数量已达上限', 'The tenant has reached its account limit.']);
