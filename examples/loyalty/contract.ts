import type { Static } from 'typebox';
import * as Type from 'typebox';
import { entity, get, Ids, list, NoInput, post } from '#shared/contract';
import { Id, Integer, Text } from '#shared/fields';
import { loyaltyMenu } from './menus.ts';

const path = '/api/acme-loyalty/award';

/** Points that a member earned with one approved submission; a submission earns points at most once. */
export const Award = entity('loyalty_award', {
  id: Id(),
  submissionId: Id({ title: ['提交编号', 'Submission'], list: false }),
  memberId: Id({ title: ['用户编号', 'User'], search: true, list: false }),
  memberName: Text({ title: ['昵称', 'Name'], maxLength: 64, search: true, form: false }),
  taskId: Id({ title: ['任务编号', 'Task'], search: true, list: false }),
  taskTitle: Text({ title: ['任务', 'Task'], maxLength: 128, search: true, form: false, width: 240 }),
  points: Integer({ title: ['积分', 'Points'], minimum: 1, sort: true, form: false }),
});

const whole = Type.Unsafe<number>({ type: 'integer' });
const Settled = Type.Object({ awards: whole, points: whole });

/** Result of a settlement: the number of submissions that earned points, and the number of points. */
export type Settled = Static<typeof Settled>;

const Summary = Type.Object({
  points: whole,
  leaders: Type.Array(Type.Object({ memberId: Id(), memberName: Type.Unsafe<string>({ type: 'string' }), points: whole })),
});

/** Points of this month, and the members with the most. */
export type Summary = Static<typeof Summary>;

const read = { code: loyaltyMenu.code };

export const loyalty = {
  entity: Award,
  menu: loyaltyMenu.code,
  list: list(`${path}/list`, Award, read, ['积分记录', 'Points given']),
  summary: get(`${path}/summary`, { title: ['本月积分', 'Points this month'], access: read, input: NoInput, reply: Summary }),
  settle: post(`${path}/settle`, { title: ['结算积分', 'Settle points'], access: { code: 'loyalty_settle' }, input: Ids, reply: Settled }),
};
