import { ApiError, problems } from '#shared/errors';
import { TaskQueue, type TaskQueueLimits } from '#shared/task-queue';

/** Queue of bounded length; throws a 503 error when it is full. */
export class Bulkhead extends TaskQueue {
  constructor(limits: Omit<TaskQueueLimits, 'fullError'>) {
    super({ ...limits, fullError: () => new ApiError(problems.busy, { seconds: 5 }) });
  }
}
