import { expect, test } from '@rstest/core';
import fc from 'fast-check';
import { accountKinds } from '#plugins/payment/contract';
import type { GatewayTerms, PaymentGateway } from '#plugins/payment/server-extension';
import { feeOf, reaches, selectRoute } from '../../../../src/plugins/payment/server/gateways.ts';

const { wechat, alipay, bank } = accountKinds;
const gateway = (name: string, terms: Partial<GatewayTerms>) =>
  ({ name, terms: { accountKinds: [bank], payeeConfirms: false, isOffline: false, ...terms } }) as unknown as PaymentGateway;
const transfer = (kind: GatewayTerms['accountKinds'][number], amount: number, more: { name?: string; refusedBy?: string[] } = {}) => ({
  account: { kind, name: more.name ?? '安小姐' },
  amount,
  refusedBy: more.refusedBy ?? [],
});
const chosen = (gateways: readonly PaymentGateway[], ...transfers: ReturnType<typeof transfer>[]) => selectRoute(gateways, transfers)?.gateway.name;

test('a fraction of a fee counts as a whole', () => {
  expect([0, 1, 10_000, 10_001].map((amount) => feeOf({ accountKinds: [], payeeConfirms: false, isOffline: false, feeRate: 60, feeFixed: 5 }, amount))).toEqual(
    [5, 6, 65, 66],
  );
});

test('a payout goes to the cheapest gateway that reaches an account, then by priority, then by order', () => {
  const dear = gateway('dear', { feeRate: 100 });
  const flat = gateway('flat', { feeFixed: 100 });
  expect(chosen([dear, flat], transfer(bank, 5000))).toBe('dear');
  expect(chosen([dear, flat], transfer(bank, 50_000))).toBe('flat');
  expect(chosen([dear, flat], transfer(bank, 10_000))).toBe('dear');
  expect(chosen([gateway('none', {}), gateway('second', { priority: 2 }), gateway('first', { priority: 1 })], transfer(bank, 1))).toBe('first');
  expect(chosen([dear, gateway('pay', { accountKinds: [alipay], feeFixed: 1 })], transfer(bank, 5000), transfer(alipay, 5000))).toBe('pay');
});

test('limits include their bounds, and a missing name or account excludes a gateway', () => {
  const limited = gateway('limited', { minAmount: 10, maxAmount: 20, nameRequiredFrom: 15 });
  expect([9, 10, 20, 21].map((amount) => chosen([limited], transfer(bank, amount)))).toEqual([undefined, 'limited', 'limited', undefined]);
  expect([14, 15].map((amount) => chosen([limited], transfer(bank, amount, { name: '' })))).toEqual(['limited', undefined]);
  expect(chosen([limited], transfer(wechat, 12))).toBeUndefined();
});

test('a gateway that has refused the work comes last, and still pays if it is the only one', () => {
  const cheap = gateway('cheap', {});
  const dear = gateway('dear', { feeFixed: 100 });
  expect(chosen([cheap, dear], transfer(bank, 500, { refusedBy: ['cheap'] }))).toBe('dear');
  expect(chosen([cheap], transfer(bank, 500, { refusedBy: ['cheap'] }))).toBe('cheap');
});

test('no gateway that reaches the account is cheaper than the selected one', () => {
  const terms = fc.record({
    accountKinds: fc.subarray([wechat, alipay, bank]),
    minAmount: fc.option(fc.nat(2000)),
    maxAmount: fc.option(fc.nat(4000)),
    feeRate: fc.option(fc.nat(200)),
    feeFixed: fc.option(fc.nat(50)),
    priority: fc.option(fc.nat(3)),
  });
  fc.assert(
    fc.property(fc.array(terms, { maxLength: 5 }), fc.constantFrom(wechat, alipay, bank), fc.nat(4000), (all, kind, amount) => {
      const gateways = all.map((one, index) => gateway(String(index), one));
      const wanted = transfer(kind, amount);
      const found = selectRoute(gateways, [wanted]);
      const fees = gateways.filter((one) => reaches(one.terms, wanted)).map((one) => feeOf(one.terms, amount));
      expect(found && feeOf(found.gateway.terms, amount)).toBe(fees.length > 0 ? Math.min(...fees) : undefined);
    }),
  );
});
