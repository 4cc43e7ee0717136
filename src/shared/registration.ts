import { Optional as Omissible, Object as Shape, Unsafe } from 'typebox';
import { Done, post } from './contract.ts';
import { problem } from './errors.ts';

const text = (maxLength: number) => Unsafe<string>({ type: 'string', maxLength });

/**
 * Whoever has signed in with an identity that is nobody's (a token reply with an empty `user_id`) asks for an account, with the token of that reply.
 * The tenant is that of the stored identity, whatever is sent. The account waits for an administrator.
 */
export const registerGuest = post('/api/blade-system/user/register-guest', {
  title: ['注册申请', 'Ask for an account'],
  who: 'open',
  input: Shape({
    tenantId: Omissible(text(12)),
    name: Omissible(text(64)),
    account: Omissible(text(64)),
    /** Plain, md5 hex or SM2 hex. */
    password: Omissible(text(512)),
    password2: Omissible(text(512)),
    oauthId: Omissible(text(19)),
  }),
  reply: Done,
});

/** What became of a wish for an account. */
export const registrationDecisions = { pending: 0, approved: 1, refused: 2 } as const;

/** Why an account is not asked for, or not given. */
export const registrationProblems = {
  wrongIdentity: problem(400, ['第三方登陆信息错误!', 'The identity of the provider is not valid!']),
  wrongTenant: problem(400, ['租户信息错误!', 'The tenant is not valid!']),
  noAccount: problem(400, ['请先输入账号名称', 'Enter an account name first']),
  noPassword: problem(400, ['请先输入密码', 'Enter a password first']),
  passwordsDiffer: problem(400, ['两次密码输入不一致', 'The two passwords are not the same']),
  accountTaken: problem(400, ['当前账号已被使用!', 'This account name is taken!']),
  refused: problem(400, ['注册申请未通过', 'Your request for an account was refused.']),
  refusedBecause: problem(400, ['注册申请未通过：{reason}', 'Your request for an account was refused: {reason}']),
  closed: problem(403, ['未开放注册', 'Registration is closed.']),
  /** What a guest's token is told wherever it is not enough. */
  guest: problem(403, ['请先完成注册', 'Ask for an account first.']),
};
