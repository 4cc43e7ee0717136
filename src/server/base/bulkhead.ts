import { problems, Refusal } from '#shared/errors';
import { TaskQueue, type TaskQueueLimits } from '#shared/task-queue';

/** Queue of bounded length; throws a 503 error when it is full. */
export class Bulkhead extends TaskQueue {
  constructor(limits: Omit<TaskQueueLimits, 'fullError'>) {
    super({ ...limits, fullError: () => new Refusal(problems.busy, { seconds: 5 }) });
  }
}
