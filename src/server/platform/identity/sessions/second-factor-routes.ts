import { resetSecondFactor, secondFactor } from '#shared/second-factor';
import { type Route, route } from '../../http/route.ts';
import type { SecondFactors } from './second-factors.ts';

/** Serves the calls for the user's own second factor. */
export function secondFactorRoutes(factors: SecondFactors): Route[] {
  const own = { manualTransactions: true } as const;
  return [
    route(secondFactor.status, ({ principal }) => factors.status(principal), own),
    route(secondFactor.enrol, ({ input, principal }) => factors.enrol(input.password, principal), own),
    route(secondFactor.confirm, ({ input, principal }) => factors.confirm(input.code, principal), own),
    route(secondFactor.disable, ({ input, principal }) => factors.disable(input.password, principal), own),
    route(resetSecondFactor, ({ input, principal }) => factors.reset(input.userIds, principal)),
    route(secondFactor.renewCodes, ({ input, principal }) => factors.renewCodes(input.password, principal), own),
  ];
}
