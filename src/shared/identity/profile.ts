import * as Type from 'typebox';
import { NoContent, post } from '../contract/contract.ts';
import { problem } from '../contract/errors.ts';

const text = (maxLength: number) => Type.Unsafe<string>({ type: 'string', maxLength });

/** Profile fields that only administrators may change, because sign-in by phone and single sign-on use them to find the user. */
export const managedFields = { realName: Type.Optional(text(64)), phone: Type.Optional(text(32)), email: Type.Optional(text(128)) };

/** Updates the caller's own profile; omitted fields keep their value. A request that changes a managed field is rejected; sending its current value is allowed. */
export const updateInfo = post('/api/blade-system/user/update-info', {
  title: ['修改个人信息', 'Update profile'],
  access: 'signedIn',
  effect: 'updated',
  input: Type.Object({
    id: Type.Optional(text(19)),
    name: Type.Optional(Type.Unsafe<string>({ type: 'string', minLength: 1, maxLength: 64 })),
    /** Link of an image that the caller uploaded, or empty to remove it. The image becomes public. */
    avatar: Type.Optional(text(1024)),
    ...managedFields,
  }),
  reply: NoContent,
});

/** Errors of a profile update. */
export const profileProblems = {
  avatarNotUploaded: problem(400, ['头像须是您上传的图片', 'Use a picture you uploaded.']),
  realName: problem(403, ['姓名由管理员维护，请联系管理员修改', 'Your name is managed by an administrator. Ask them to change it.']),
  phone: problem(403, ['手机号用于登录，请联系管理员修改', 'Your phone number is used to sign in. Ask an administrator to change it.']),
  email: problem(403, ['邮箱由管理员维护，请联系管理员修改', 'Your email is managed by an administrator. Ask them to change it.']),
};
