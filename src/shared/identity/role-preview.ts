import * as Type from 'typebox';
import { NoInput, post } from '../contract/contract.ts';
import { problem } from '../contract/errors.ts';
import { Id } from '../contract/fields.ts';
import type { UserFacts } from './auth.ts';

/** Account fields of the caller that apply from now on. */
const Facts = Type.Unsafe<UserFacts>({ type: 'object', additionalProperties: true });

/**
 * Shows the console with the menu, permission codes and data of the given roles, and never more than the caller's own. Nothing can be changed meanwhile. The preview
 * ends on request, and with the session.
 */
export const rolePreview = {
  begin: post('/api/blade-system/role/preview', {
    title: ['以角色预览', 'Preview as roles'],
    access: { code: 'role_preview' },
    input: Type.Object({ roleIds: Type.Array(Id({ title: ['角色', 'Roles'] }), { minItems: 1, maxItems: 20 }) }),
    reply: Facts,
  }),
  end: post('/api/blade-system/role/preview-end', { title: ['结束预览', 'End preview'], access: 'signedIn', input: NoInput, reply: Facts }),
};

/** Refusals of a role preview. */
export const previewProblems = {
  beyond: problem(403, ['不能预览超出自身权限的角色', 'You cannot preview a role with more permissions than you have.']),
};
