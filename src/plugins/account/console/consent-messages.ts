/** Texts of the consent page. */
export const consentMessages = {
  title: ['授权登录', 'Authorize access'],
  question: [
    '「{client}」请求使用您的账号登录。同意后将返回 {host}，对方可获取您的账号、姓名和角色。',
    '“{client}” wants to sign you in with your account. If you allow it, you return to {host}, which receives your account, name and roles.',
  ],
  signedInAs: ['当前账号：{name}', 'Signed in as {name}'],
  approve: ['同意', 'Allow'],
  refuse: ['拒绝', 'Deny'],
  consenting: ['正在返回 {host}…', 'Returning to {host}…'],
} as const;
