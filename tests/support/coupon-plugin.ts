import { eq } from 'drizzle-orm';
import { type ChangedRow, crudRoutes, defineServerPlugin, type InstalledPlugin, repositoryOf } from '#server';
import { menu } from '#shared/menu-entry';
import { Coupon, coupon, couponStates } from './coupon-calls.ts';

const couponMenu = menu({
  code: 'coupon',
  title: ['优惠券', 'Coupons'],
  path: '/coupon',
  icon: 'list',
  buttons: ['add', 'edit', 'delete', 'view', { code: 'coupon_activate', title: ['启用', 'Activate'] }, { code: 'coupon_end', title: ['停用', 'End'] }],
});

/** Creates a plugin of coupons; `onTransition` hears of their transitions. */
export const couponPlugin = (onTransition: (name: string, rows: readonly ChangedRow<typeof Coupon>[]) => void = () => undefined): InstalledPlugin => ({
  plugin: defineServerPlugin({
    id: 'coupon',
    title: ['优惠券', 'Coupons'],
    menus: [couponMenu],
    setup({ db }) {
      const coupons = repositoryOf(db, Coupon, { transitioned: (rows, { name }) => onTransition(name, rows) });
      return {
        routes: [crudRoutes(coupon, coupons)],
        processors: {
          'coupon:end-all': {
            title: ['停用全部优惠券', 'End all coupons'],
            help: ['停用所有租户的优惠券', 'Ends the coupons of all tenants'],
            platformOnly: true,
            async run() {
              const ended = await db.asPlatform('coupons of all tenants are ended by the test', () =>
                coupons.update(eq(coupons.table.state, couponStates.active), { state: couponStates.ended, reason: 'closed' }),
              );
              return ended.map(({ tenantId }) => tenantId).join(',');
            },
          },
          'coupon:reopen': {
            title: ['重新启用', 'Reopen'],
            help: ['没有这样的状态变更', 'Makes a change that is not declared'],
            async run({ write }) {
              await write(() => coupons.update(eq(coupons.table.state, couponStates.ended), { state: couponStates.draft }));
              return 'reopened';
            },
          },
        },
      };
    },
  }),
  migrations: {
    '0001-coupon.sql': `create table coupon (like tenant_row including all, name varchar(255) not null, reason varchar(255), ended_time timestamptz, state integer not null);
      call own_by_tenant('coupon');`,
  },
});
