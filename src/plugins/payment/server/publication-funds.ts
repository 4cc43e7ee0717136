import { PublicationPlanning, TasksPublishing } from '#plugins/task/contract';
import { ApiError, type DeclaredFilter, filterHandler } from '#server';
import { beyondFunds, paymentProblems } from '../contract.ts';
import type { AdvertiserFunds } from './funds.ts';
import type { LimitSettings } from './limit-settings.ts';
import { yuan } from './yuan.ts';

/** Relates publications to the money of their advertisers: it adds the available money to a plan, and refuses tasks that cost more, or lets them pass if so configured. */
export function publicationFunds(limits: LimitSettings, funds: AdvertiserFunds): DeclaredFilter[] {
  const mayExceed = async () => (await limits.current()).publishingBeyondFunds === beyondFunds.warn;
  return [
    filterHandler(PublicationPlanning, async (shares) => {
      const isRefusedBeyond = !(await mayExceed());
      const found = new Map((await funds.of(shares.map(({ advertiserId }) => advertiserId))).map((one) => [one.advertiserId, one.available]));
      const plan = shares.map(async (share) => {
        const available = found.get(share.advertiserId);
        if (available === undefined) return share;
        const isBeyond = (amount: number | null) => isRefusedBeyond && (amount ?? 0) > available;
        const shown = (await funds.isVisible(share.advertiserId)) ? available : null;
        return { ...share, available: shown, isLimited: isBeyond(share.cost), isRefused: isBeyond(share.least) };
      });
      return Promise.all(plan);
    }),
    filterHandler(TasksPublishing, async (tasks) => {
      if (await mayExceed()) return undefined;
      const costs = new Map<string, number>();
      for (const { advertiserId, unitPrice, quantity, claimed } of tasks)
        costs.set(advertiserId, (costs.get(advertiserId) ?? 0) + unitPrice * (quantity - claimed));
      // The tasks are already published in this transaction, so their cost is reserved.
      const short = (await funds.of([...costs.keys()])).find(({ available }) => available < 0);
      if (!short) return undefined;
      if (!(await funds.isVisible(short.advertiserId))) throw new ApiError(paymentProblems.publishingRefused, { name: short.name });
      const needed = costs.get(short.advertiserId) ?? 0;
      throw new ApiError(paymentProblems.publishingBeyondFunds, {
        name: short.name,
        needed: yuan(needed),
        available: yuan(Math.max(0, short.available + needed)),
      });
    }),
  ];
}
