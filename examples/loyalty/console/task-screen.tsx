import { Http, Locale, type ScreenAdditionOf, Toasts, usePluginOptions } from '#kernel';
import type { TaskRow } from '#plugins/task/contract';
import type { AddedValuesOf } from '#shared/entity-extension';
import { loyalty } from '../contract.ts';
import type LoyaltyOptions from '../options.ts';
import { TaskPoints } from '../task-points.ts';
import { words } from './messages.ts';

type RatedTask = TaskRow & AddedValuesOf<typeof TaskPoints>;

function Earns({ row }: { readonly row: RatedTask }) {
  const { pointsPerYuan } = usePluginOptions<typeof LoyaltyOptions>();
  return (row['loyalty:points'] ?? Math.max(1, Math.floor((row.unitPrice * pointsPerYuan) / 100))).toLocaleString();
}

/** Extends the screen of tasks with the points that one submission earns, and with an action that settles the points of one task. */
const addition: ScreenAdditionOf<RatedTask> = ({ get }) => ({
  fields: TaskPoints,
  inputs: { unitPrice: { help: words.byPrice } },
  columns: { points: { title: words.earns, width: 110, isNumber: true, Cell: Earns } },
  actions: {
    row: [
      {
        title: words.settle,
        code: 'loyalty_settle',
        when: ({ passed }) => passed > 0,
        onClick: async ({ id }) => {
          const { success, data } = await get(Http).send(loyalty.settle, { ids: [id] });
          if (!success) return;
          const said = get(Locale).t(data.awards > 0 ? words.settled : words.nothing, { ...data });
          get(Toasts).info(said);
        },
      },
    ],
  },
});
export default addition;
