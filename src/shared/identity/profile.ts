import { Optional as Omissible, Object as Shape, Unsafe } from 'typebox';
import { Done, post } from '../contract/contract.ts';
import { problem } from '../contract/errors.ts';

const text = (maxLength: number) => Unsafe<string>({ type: 'string', maxLength });

/** Profile fields that only administrators change, because sign-in by phone and single sign-on find users by them. */
export const managedFields = { realName: Omissible(text(64)), phone: Omissible(text(32)), email: Omissible(text(128)) };

/** Updates the caller's own profile; omitted fields keep their value. Real name, phone and e-mail are accepted if unchanged and refused otherwise. */
export const updateInfo = post('/api/blade-system/user/update-info', {
  title: ['修改个人信息', 'Update profile'],
  who: 'signedIn',
  effect: 'updated',
  input: Shape({
    id: Omissible(text(19)),
    name: Omissible(Unsafe<string>({ type: 'string', minLength: 1, maxLength: 64 })),
    /** Link of an image that the caller uploaded, or empty to remove it. The image becomes public. */
    avatar: Omissible(text(1024)),
    ...managedFields,
  }),
  reply: Done,
});

/** Refusals of a profile update. */
export const profileProblems = {
  foreignAvatar: problem(400, ['头像须是您上传的图片', 'Use a picture you uploaded.']),
  realName: problem(403, ['姓名由管理员维护，请联系管理员修改', 'Your name is managed by an administrator. Ask them to change it.']),
  phone: problem(403, ['手机号用于登录，请联系管理员修改', 'Your phone number is used to sign in. Ask an administrator to change it.']),
  email: problem(403, ['邮箱由管理员维护，请联系管理员修改', 'Your email is managed by an administrator. Ask them to change it.']),
};
