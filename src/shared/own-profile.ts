import { Optional as Omissible, Object as Shape, Unsafe } from 'typebox';
import { Done, post } from './contract.ts';
import { problem } from './errors.ts';

const text = (maxLength: number) => Unsafe<string>({ type: 'string', maxLength });

/**
 * What people may change about themselves; what is left out stays. Real names, phones and addresses are an administrator's to change: people are found by them
 * when they sign in by other ways.
 */
export const updateInfo = post('/api/blade-system/user/update-info', {
  title: ['修改个人信息', 'Change one’s profile'],
  who: 'signedIn',
  input: Shape({
    id: Omissible(text(19)),
    name: Omissible(Unsafe<string>({ type: 'string', minLength: 1, maxLength: 64 })),
    /** The link of a public file of one's own, or nothing. */
    avatar: Omissible(text(1024)),
  }),
  reply: Done,
});

/** Why a profile stays as it is. */
export const profileProblems = {
  foreignAvatar: problem(400, ['头像须是您上传的公开图片', 'Use a public picture that you have uploaded.']),
};
