import { Task } from '#plugins/task/contract';
import { extendEntity } from '#shared/entity-extension';
import { Integer, Nullable } from '#shared/fields';

/** Extension of a task: the number of points that one of its submissions earns. */
export const TaskPoints = extendEntity('loyalty', Task, {
  adds: {
    points: Nullable(
      Integer({
        title: ['单份积分', 'Points each'],
        minimum: 1,
        maximum: 100_000,
        list: false,
        group: ['价格与数量', 'Price and quantity'],
        help: ['留空：按单价计算', 'Empty: by the price'],
      }),
    ),
  },
});
