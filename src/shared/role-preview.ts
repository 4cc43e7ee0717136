import { Array as List, Object as Shape, Unsafe } from 'typebox';
import type { UserFacts } from './auth.ts';
import { Nothing, post } from './contract.ts';
import { problem } from './errors.ts';
import { Id } from './fields.ts';

/** What is known of the caller from now on. */
const Facts = Unsafe<UserFacts>({ type: 'object', additionalProperties: true });

/**
 * The console as somebody with these roles would have it: menu, codes and data, and never more than one's own. Nothing can be changed meanwhile. It ends
 * when it is ended, and with the session.
 */
export const rolePreview = {
  begin: post('/api/blade-system/role/preview', {
    title: ['以角色预览', 'View as roles'],
    who: { code: 'role_preview' },
    input: Shape({ roleIds: List(Id({ title: ['角色', 'Roles'] }), { minItems: 1, maxItems: 20 }) }),
    reply: Facts,
  }),
  end: post('/api/blade-system/role/preview-end', { title: ['结束预览', 'End the preview'], who: 'signedIn', input: Nothing, reply: Facts }),
};

/** Why a preview does not begin. */
export const previewProblems = {
  beyond: problem(403, ['不能预览超出自身权限的角色', 'You cannot view as a role that may do more than you.']),
};
