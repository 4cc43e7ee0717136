import { Http, Locale, type ScreenAdditionOf, Toasts, usePluginOptions } from '#kernel';
import type { TaskRow } from '#plugins/task/contract';
import { loyalty } from '../contract.ts';
import type LoyaltyOptions from '../options.ts';
import { words } from './words.ts';

function Earns({ row }: { readonly row: TaskRow }) {
  const { pointsPerYuan } = usePluginOptions<typeof LoyaltyOptions>();
  return Math.max(1, Math.floor((row.unitPrice * pointsPerYuan) / 100)).toLocaleString();
}

/** Tasks tell what one piece of work earns, and settle the points of one task at once. */
const addition: ScreenAdditionOf<TaskRow> = ({ get }) => ({
  columns: { points: { title: words.earns, width: 110, Cell: Earns } },
  actions: {
    row: [
      {
        title: words.settle,
        code: 'loyalty_settle',
        when: ({ passed }) => passed > 0,
        onClick: async ({ id }) => {
          const { success, data } = await get(Http).send(loyalty.settle, { ids: [id] });
          if (!success) return;
          const said = get(Locale).say(data.awards > 0 ? words.settled : words.nothing, { ...data });
          get(Toasts).info(said);
        },
      },
    ],
  },
});
export default addition;
