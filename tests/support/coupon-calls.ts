import { crud, entity } from '#shared/contract';
import { DateTime, Id, Nullable, State, Text } from '#shared/fields';

/** States of a coupon. */
export const couponStates = { draft: 1, active: 2, ended: 3 } as const;

/** Coupons, which are edited while they are drafts and change their state by declared transitions. */
export const Coupon = entity(
  'coupon',
  {
    id: Id(),
    name: Text({ title: ['名称', 'Name'], search: true }),
    reason: Nullable(Text({ title: ['停用原因', 'Reason'], form: false })),
    endedTime: Nullable(DateTime({ title: ['停用时间', 'Ended at'], form: false, list: false })),
    state: State({
      title: ['状态', 'State'],
      search: true,
      states: [
        [couponStates.draft, ['草稿', 'Draft'], 'neutral'],
        [couponStates.active, ['有效', 'Active'], 'good'],
        [couponStates.ended, ['已停用', 'Ended'], 'danger'],
      ],
      transitions: [
        { name: 'activate', title: ['启用', 'Activate'], from: [couponStates.draft], to: couponStates.active, code: 'coupon_activate' },
        {
          name: 'end',
          title: ['停用', 'End'],
          from: [couponStates.draft, couponStates.active],
          to: couponStates.ended,
          code: 'coupon_end',
          confirm: ['「{name}」停用后不能恢复', '“{name}” cannot be activated again'],
          fields: ['reason'],
          time: 'endedTime',
        },
      ],
    }),
  },
  { editableWhen: { field: 'state', is: couponStates.draft } },
);

/** Calls of the list of coupons. */
export const coupon = crud('/api/coupon', Coupon);
