import type { MailKind } from '#server';

export const testMail: MailKind = {
  code: 'email:test',
  use: 'required',
  title: ['测试邮件', 'Test e-mail'],
  subject: ['测试邮件', 'Test e-mail'],
  body: [['收到此邮件，说明邮件服务器已配置正确。', 'If you read this, the e-mail server is set up correctly.']],
  action: ['打开控制台', 'Open the console'],
  sample: {},
};

/** E-mail with a one-time password. */
export const passwordMail: MailKind = {
  code: 'email:password',
  use: 'required',
  title: ['密码邮件', 'Password e-mails'],
  subject: ['您的登录账号', 'Your account'],
  body: [
    ['您好，{name}：', 'Hello {name},'],
    ['账号：{account}', 'Account: {account}'],
    ['一次性密码：{password}', 'One-time password: {password}'],
    ['请在 {expires} 前登录，登录后需设置新密码。请勿转发此邮件。', 'Sign in before {expires} and choose a new password. Do not forward this e-mail.'],
  ],
  action: ['登录', 'Sign in'],
  sample: { name: ['张三', 'Zhang San'], account: 'zhangsan', password: 'Kp7-vT9-mX4q', expires: '2026-12-01 09:00:00' },
};

/** Daily reminder of pending work. */
export const pendingWorkMail: MailKind = {
  code: 'email:waiting',
  use: 'optional',
  title: ['待办提醒', 'Pending work'],
  subject: ['您有 {count} 项待处理', '{count} items are waiting for you'],
  body: [['以下事项等待您处理：', 'These items are waiting for you:']],
  action: ['打开首页', 'Open the home page'],
  sample: { count: 12 },
};

/** A saved view, every week. */
export const viewMail: MailKind = {
  code: 'email:view',
  use: 'required',
  title: ['邮件视图', 'Mailed views'],
  subject: ['{view}（{title}）：{count} 条', '{view} ({title}): {count} rows'],
  body: [
    ['视图「{view}」当前有 {count} 条记录。', 'The view “{view}” has {count} rows.'],
    ['{shown}', '{shown}'],
    ['如不再需要，可在个人信息的「邮件视图」中停止。', 'Stop it any time under “Mailed views” in your account settings.'],
  ],
  action: ['在控制台中查看', 'Open in the console'],
  sample: { view: ['待审核', 'Pending review'], title: ['任务列表', 'Tasks'], count: 3, shown: '' },
};

/** Notice that a view is no longer mailed. */
export const viewStoppedMail: MailKind = {
  code: 'email:view-stopped',
  use: 'notification',
  title: ['邮件视图已停发', 'Mailed view stopped'],
  subject: ['{title}', '{title}'],
  body: [
    ['{title}。', '{title}.'],
    ['{body}', '{body}'],
  ],
  sample: {
    title: ['视图「待审核」不再发送邮件', 'The view “Pending review” is no longer mailed'],
    body: ['视图已被删除。', 'The view was deleted.'],
  },
};

export const emailKinds = [testMail, passwordMail, pendingWorkMail, viewMail, viewStoppedMail] as const;
