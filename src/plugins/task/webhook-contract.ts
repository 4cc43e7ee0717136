import * as Type from 'typebox';
import { webhookEvent } from '#shared/contract';
import { Id } from '#shared/fields';

const task = Type.Object({ id: Id(), advertiserId: Id() });
const submission = Type.Object({ id: Id(), taskId: Id(), userId: Id() });

export const taskPublished = webhookEvent({ name: 'task.published', title: ['任务已发布', 'Task published'], data: task });
export const taskTakenDown = webhookEvent({ name: 'task.taken_down', title: ['任务已下架', 'Task taken down'], data: task });
export const submissionApproved = webhookEvent({ name: 'submission.approved', title: ['提交已通过', 'Submission approved'], data: submission });
export const submissionRejected = webhookEvent({ name: 'submission.rejected', title: ['提交已驳回', 'Submission rejected'], data: submission });
/** An auditor has undone a decision. */
export const submissionReopened = webhookEvent({ name: 'submission.reopened', title: ['提交审核已撤销', 'Submission decision undone'], data: submission });

/** Events of this plugin for webhooks. */
export const taskEvents = [taskPublished, taskTakenDown, submissionApproved, submissionRejected, submissionReopened] as const;
