import { personalRetentionDays } from '#shared/kernel-parameters';
import { integerParameter, type Parameter, textParameter } from '#shared/parameters';

const taskGroup = ['任务', 'Tasks'] as const;
const minutesUnit = ['分钟', 'min'] as const;
export const leaseMinutes = integerParameter({
  key: 'task.leaseMinutes',
  group: taskGroup,
  title: ['审核占用时长', 'Review hold time'],
  help: ['审核员领取的凭证在此时间内不会分配给他人', 'Submissions claimed by a reviewer are not assigned to others within this time'],
  preset: 10,
  // The console of an active reviewer renews leases after three minutes.
  minimum: 5,
  maximum: 1440,
  unit: minutesUnit,
});
export const claimClients = textParameter({
  key: 'task.claimClients',
  group: taskGroup,
  title: ['小程序应用', 'Mini-app clients'],
  help: ['可领取任务的应用标识，以逗号分隔', 'IDs of clients that can claim tasks, separated by commas'],
  preset: 'miniapp',
});

/** Days after which the proofs of rejected submissions are erased. */
export const rejectedProofDays = personalRetentionDays({
  key: 'task.rejectedProofDays',
  preset: 365,
  record: ['已驳回的作品', 'Rejected submissions'],
  event: ['驳回', 'the rejection'],
});

/** Parameters this plugin reads. */
export const taskParameters: readonly Parameter[] = [leaseMinutes, claimClients, rejectedProofDays];
