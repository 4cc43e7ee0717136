import { personalRetentionDays } from '#shared/kernel-parameters';

/** Days after which the personal data of deleted users, and of applicants who were rejected, is erased. */
export const deletedUserDays = personalRetentionDays({
  key: 'organization.deletedUserDays',
  preset: 365,
  record: ['已删除的用户', 'Deleted users'],
  event: ['删除', 'the deletion'],
});
